import './zod-setup.ts'
import * as z from 'zod'
import * as field from './fields.ts'
import { route } from './route.ts'
import { choice, filter, pageQuery, pagination, timestamp } from './shapes.ts'

/** Activity types; the server classifies an activity when it is logged. */
export const activityTypes = ['verification', 'upload', 'payment', 'user', 'admin', 'other'] as const
export const activityStatuses = ['success', 'failed', 'warning', 'info'] as const

export const activityLog = z.object({
  id: z.int(),
  /** Null for actions by the system and for login attempts with an unknown email address. */
  user_id: z.string().nullable(),
  user_email: z.string().nullable(),
  activity: z.string(),
  details: z.string(),
  ip_address: z.string().nullable(),
  timestamp,
})
export type ActivityLog = z.infer<typeof activityLog>

export const adminLogs = {
  list: route({
    method: 'GET',
    path: '/admin/activity-logs',
    access: 'admin',
    summary:
      'Activity log, newest first. Admins see their own entries and those of ordinary users and the system; super admins see all.',
    query: z.object({
      user_id: filter(z.string().max(64)),
      organisation_id: filter(z.string().max(64)).describe('Only entries about this organisation.'),
      activity_type: choice(activityTypes),
      date_from: filter(field.date()),
      date_to: filter(field.date()),
      search: field.searchText().default(''),
      /** Limits a super admin's view to the entries that admins see. It never shows an admin more. */
      admin_view: filter(z.stringbool({ error: 'Please use true or false.' })),
      ...pageQuery(50),
    }),
    reply: z.object({
      logs: z.array(activityLog),
      pagination,
      /** Counts of all entries that match the filter. */
      statistics: z.object({
        total: z.int(),
        by_type: z.record(z.enum(activityTypes), z.int()),
        by_status: z.record(z.enum(activityStatuses), z.int()),
      }),
    }),
    csv: {
      title: 'Activity logs',
      file: 'activity_logs',
      columns: ['id', 'user_id', 'user_email', 'activity', 'details', 'ip_address', 'timestamp'],
    },
  }),
}
