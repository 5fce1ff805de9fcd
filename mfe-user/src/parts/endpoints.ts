import { endpoint } from '@portal/api/endpoint'
import type { notifications as NotificationCalls } from '@portal/contract/notifications'
import type { verification } from '@portal/contract/verification'
import type { bulkVerification } from '@portal/contract/verification-bulk'

/* Endpoints whose input is not validated by a form, without their schemas: zod is larger than any of these screens. */

type Calls = typeof verification
type BulkCalls = typeof bulkVerification

export const history = endpoint<Calls['history']>('GET', '/verification/history')
export const statistics = endpoint<Calls['statistics']>('GET', '/verification/statistics')
/** The notifications that the shell's bell shows, which change when a verification ends. */
export const notifications = endpoint<(typeof NotificationCalls)['list']>('GET', '/notifications')
export const status = endpoint<Calls['checkStatus']>('GET', '/verification/check-verification-status/{id}')
export const checkMany = endpoint<BulkCalls['check']>('POST', '/verification/verify-bulk')
export const payForMany = endpoint<BulkCalls['pay']>('POST', '/verification/process-bulk-payment')
