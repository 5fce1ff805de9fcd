import { adminAnalytics } from '@portal/contract/admin-analytics'
import { adminCertificates } from '@portal/contract/admin-certificates'
import { adminLogs } from '@portal/contract/admin-logs'
import { adminReports } from '@portal/contract/admin-reports'
import { adminSearch } from '@portal/contract/admin-search'
import { adminSettings } from '@portal/contract/admin-settings'
import { adminUploads } from '@portal/contract/admin-uploads'
import { adminUsers } from '@portal/contract/admin-users'
import { notifications } from '@portal/contract/notifications'
import type { Route } from '@portal/contract/route'
import { verification } from '@portal/contract/verification'
import type { Database } from '../db/database.ts'

/**
 * Calls that may read from a replica: lists, searches and reports of logged-in accounts. All other calls read from the primary,
 * so that they see the current state of sessions, limits, and any data that affects money or is about to be changed.
 */
export const replicaRoutes: ReadonlySet<Route> = new Set<Route>([
  verification.history,
  verification.statistics,
  notifications.list,
  adminCertificates.list,
  adminUsers.list,
  adminUploads.list,
  adminUploads.history,
  adminUploads.rows,
  adminLogs.list,
  adminReports.authentications,
  adminReports.transactions,
  adminReports.summary,
  adminAnalytics.dashboard,
  adminAnalytics.period,
  adminSearch.everything,
  adminSettings.feeHistory,
])

/** Returns the database that a call of `route` reads from: a replica, if there is one and the route allows it. */
export function databaseFor(route: Route, db: Database): Database | Promise<Database> {
  // Returns synchronously unless it uses a replica.
  return db.replica && replicaRoutes.has(route) ? db.replica().then(read => ({ ...db, read })) : db
}
