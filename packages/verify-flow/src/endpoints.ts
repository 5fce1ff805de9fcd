import { endpoint } from '@portal/api/endpoint'
import type { notifications as NotificationCalls } from '@portal/contract/notifications'
import type { verification } from '@portal/contract/verification'

/*
 * The endpoints of a verification, without their schemas: the first step is on the landing page, where zod would make the
 * portal's own code a third larger.
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
/** The call behind the shell's notification bell, which is refetched after a verification. */
export const notifications = endpoint<(typeof NotificationCalls)['list']>('GET', '/notifications')
