import {
  type ActivityLog,
  activityStatuses,
  activityTypes,
  type adminLogs as routes,
} from '@portal/contract/admin-logs'
import { classifyActivity } from '@portal/format/activity'
import { byKey } from '@portal/format/by-key'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import { startOf } from './sessions.ts'
import type { MockState, MockUser } from './state.ts'

type Entry = Omit<ActivityLog, 'id'>

const IP_ADDRESS = '192.0.2.17'

/** Derives the activity log from the state, newest first. */
export function deriveActivityLog(state: MockState): ActivityLog[] {
  const usersById = new Map(state.users.map(user => [user.id, user]))
  const entry = (userId: string | undefined, activity: string, at: string, details = ''): Entry => ({
    user_id: userId ?? null,
    user_email: usersById.get(userId ?? '')?.email ?? null,
    activity,
    details,
    ip_address: userId ? IP_ADDRESS : null,
    timestamp: at,
  })
  const userIdsByEmail = new Map(state.users.map(user => [user.email, user.id]))
  return [
    ...state.users.map(user => entry(user.id, 'User registered', user.created_at)),
    ...state.sessions.map(session => entry(session.user_id, 'User login', startOf(session))),
    ...state.payments.flatMap(payment => {
      const started = entry(
        payment.user_id,
        'Certificate verification started',
        payment.initiated_at,
        payment.certificate_number,
      )
      if (!payment.ended_at) return [started]
      const ending =
        payment.status === 'paid'
          ? entry(
              payment.user_id,
              'Certificate verification paid',
              payment.ended_at,
              `${payment.certificate_number}: ${payment.certificate ? 'verified' : 'not found, although the fee was paid; a refund can be requested from the registry'}`,
            )
          : entry(payment.user_id, 'Payment declined', payment.ended_at, payment.certificate_number)
      return [started, ending]
    }),
    ...state.certificates.map(certificate =>
      entry(
        userIdsByEmail.get(certificate.uploader_email ?? ''),
        'Certificate created',
        certificate.uploaded_at,
        certificate.certificate_number,
      ),
    ),
    ...(state.fee.updated_at
      ? [entry(userIdsByEmail.get('admin@demo.test'), 'Verification fee updated', state.fee.updated_at)]
      : []),
  ]
    .sort((a, b) => a.timestamp.localeCompare(b.timestamp))
    .map((item, index) => ({ id: index + 1, ...item }))
    .reverse()
}

/** Returns the activity of an organisation, newest first. */
function organisationEntries(state: MockState, id: string): ActivityLog[] {
  const activity = state.organisations?.find(organisation => organisation.id === id)?.activity ?? []
  return activity.map(({ at, user_id, ...rest }) => ({
    ...rest,
    user_id,
    user_email: state.users.find(user => user.id === user_id)?.email ?? null,
    ip_address: user_id === null ? null : IP_ADDRESS,
    timestamp: at,
  }))
}

/** True if the caller may see the entry. Admins see their own entries, those of ordinary users and those of the system. */
function canSee(log: ActivityLog, viewer: MockUser, adminView: boolean, users: readonly MockUser[]) {
  if (viewer.role === 'super_admin' && !adminView) return true
  if (log.user_id === null || log.user_id === viewer.id) return true
  return users.some(user => user.id === log.user_id && user.role === 'user')
}

const countsOf = <Kind extends string>(kinds: readonly Kind[], found: readonly Kind[]) =>
  byKey(kinds, kind => found.filter(item => item === kind).length)

export const adminLogs: HandlersOf<typeof routes> = {
  list({ query, state, user }) {
    const search = query.search.toLowerCase()
    const day = (log: ActivityLog) => log.timestamp.slice(0, 10)
    const organisationId = query.organisation_id
    const found = (
      organisationId === undefined ? deriveActivityLog(state) : organisationEntries(state, organisationId)
    ).filter(
      log =>
        canSee(log, user, query.admin_view ?? false, state.users) &&
        (query.user_id === undefined || log.user_id === query.user_id) &&
        (query.activity_type === undefined || classifyActivity(log.activity).type === query.activity_type) &&
        (query.date_from === undefined || day(log) >= query.date_from) &&
        (query.date_to === undefined || day(log) <= query.date_to) &&
        [log.activity, log.details, log.user_email ?? ''].some(text => text.toLowerCase().includes(search)),
    )
    const { rows: logs, pagination } = paginateRows(found, query)
    const classes = found.map(log => classifyActivity(log.activity))
    return {
      logs,
      pagination,
      statistics: {
        total: found.length,
        by_type: countsOf(
          activityTypes,
          classes.map(({ type }) => type),
        ),
        by_status: countsOf(
          activityStatuses,
          classes.map(({ status }) => status),
        ),
      },
    }
  },
}
