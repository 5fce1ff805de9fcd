import { endpoint } from '@portal/api/endpoint'
import { q } from '@portal/api/query'
import type { notifications } from '@portal/contract/notifications'

type Calls = typeof notifications

export const list = endpoint<Calls['list']>('GET', '/notifications')
export const markRead = endpoint<Calls['read']>('POST', '/notifications/{id}/read')
export const markAllRead = endpoint<Calls['readAll']>('POST', '/notifications/read-all')

/** Query for one page of the account's notifications; the bell and the first page of its list share it. */
export const pageQuery = (page: number) => ({ ...q(list, { query: { page, per_page: 20 } }), staleTime: 0 })
