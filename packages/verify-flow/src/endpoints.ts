import { endpoint } from '@portal/api/endpoint'
import type { notifications as told } from '@portal/contract/notifications'
import type { verification } from '@portal/contract/verification'

/*
 * The calls of the flow without their schemas: the landing page shows the first step, and zod is a third of what its
 * own code weighs.
 */

type Calls = typeof verification

export const checkCertificate = endpoint<Calls['checkCertificate']>('POST', '/verification/check-certificate')
export const processPayment = endpoint<Calls['processPayment']>('POST', '/verification/process-payment')
export const verificationStatus = endpoint<Calls['checkStatus']>(
  'GET',
  '/verification/check-verification-status/{id}',
)
export const history = endpoint<Calls['history']>('GET', '/verification/history')
export const statistics = endpoint<Calls['statistics']>('GET', '/verification/statistics')
/** The shell's bell, which a verification's end is news to. */
export const notifications = endpoint<(typeof told)['list']>('GET', '/notifications')
