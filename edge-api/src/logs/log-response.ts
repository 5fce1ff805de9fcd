import type { ActivityLog } from '@portal/contract/admin-logs'
import { iso } from '../wire.ts'
import type { LogRow } from './store.ts'

/** Converts an entry of the activity log to the form in which staff see it. */
export const toActivityLog = (row: LogRow): ActivityLog => ({
  id: row.id,
  user_id: row.userId,
  user_email: row.userEmail,
  activity: row.activity,
  details: row.details,
  ip_address: row.ipAddress,
  timestamp: iso(row.at),
})
