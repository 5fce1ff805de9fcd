import { endpoint } from '@portal/api/endpoint'
import type { notifications as told } from '@portal/contract/notifications'
import type { verification } from '@portal/contract/verification'
import type { bulkVerification } from '@portal/contract/verification-bulk'

/* Calls whose input no form checks, without their schemas: zod weighs more than any of these screens. */

type Calls = typeof verification
type BulkCalls = typeof bulkVerification

export const history = endpoint<Calls['history']>('GET', '/verification/history')
export const statistics = endpoint<Calls['statistics']>('GET', '/verification/statistics')
/** The shell's bell, which a verification's end is news to. */
export const notifications = endpoint<(typeof told)['list']>('GET', '/notifications')
export const status = endpoint<Calls['checkStatus']>('GET', '/verification/check-verification-status/{id}')
export const checkMany = endpoint<BulkCalls['check']>('POST', '/verification/verify-bulk')
export const payForMany = endpoint<BulkCalls['pay']>('POST', '/verification/process-bulk-payment')
