import type { Route } from '@portal/contract/route'
import { type Routes, routes } from '@portal/contract/routes'
import type { HttpHandler } from 'msw'
import { adminAccountData, ownAccountData } from './account-data.ts'
import { adminAnalytics } from './admin-analytics.ts'
import { adminCertificates } from './admin-certificates.ts'
import { adminDisputes } from './admin-disputes.ts'
import { adminLogs } from './admin-logs.ts'
import { adminOrganisations } from './admin-organisations.ts'
import { adminReconciliation } from './admin-reconciliation.ts'
import { adminReports } from './admin-reports.ts'
import { adminSearch } from './admin-search.ts'
import { adminSettings } from './admin-settings.ts'
import { adminSettlements } from './admin-settlements.ts'
import { adminUploads } from './admin-uploads.ts'
import { adminUsers } from './admin-users.ts'
import { auth } from './auth.ts'
import { backgroundWork } from './background-work.ts'
import { brand } from './brand.ts'
import { frontEnds } from './front-ends.ts'
import { health } from './health.ts'
import { letterFiles } from './letter-files.ts'
import { letterHolder } from './letter-holder.ts'
import { letters } from './letters.ts'
import { notifications } from './notifications.ts'
import { organisationBatches } from './organisation-batches.ts'
import { organisationBilling } from './organisation-billing.ts'
import { organisationEvents } from './organisation-events.ts'
import { organisationKeys } from './organisation-keys.ts'
import { accountAreas, invitations, organisationMembers } from './organisation-members.ts'
import { organisationVerifications } from './organisation-verifications.ts'
import { organisationWebhooks } from './organisation-webhooks.ts'
import { organisations } from './organisations.ts'
import { ownSessions } from './own-sessions.ts'
import { registerChanges } from './register-changes.ts'
import { registerJobs } from './register-jobs.ts'
import { secondFactor } from './second-factor.ts'
import { type Handler, type HandlersOf, serve, unknownRoute, unsupportedMethod } from './serve.ts'
import type { Store } from './state.ts'
import { transactions } from './transactions.ts'
import { verification } from './verification.ts'
import { bulkVerification } from './verification-bulk.ts'

/** A handler for every route of the contract; a missing handler is a compile error. */
export type MockHandlers = { [Domain in keyof Routes]: HandlersOf<Routes[Domain]> }

const mocks: MockHandlers = {
  auth,
  secondFactor,
  ownSessions,
  ownAccountData,
  accountAreas,
  organisations,
  organisationMembers,
  invitations,
  organisationVerifications,
  organisationBatches,
  organisationWebhooks,
  organisationEvents,
  organisationBilling,
  organisationKeys,
  adminOrganisations,
  verification,
  bulkVerification,
  transactions,
  letterFiles,
  letterHolder,
  letters,
  adminCertificates,
  registerJobs,
  registerChanges,
  adminSettings,
  adminUploads,
  adminUsers,
  adminAccountData,
  adminLogs,
  adminAnalytics,
  adminSearch,
  adminReports,
  adminReconciliation,
  adminSettlements,
  adminDisputes,
  backgroundWork,
  notifications,
  brand,
  frontEnds,
  health,
}

/**
 * Returns the handler of a route. `MockHandlers` checks that there is one, but its type is lost when iterating over the routes.
 */
function handlerOf(domain: string, name: string): Handler<Route> {
  const byName = (mocks as unknown as Record<string, Record<string, Handler<Route>>>)[domain]
  const handler = byName?.[name]
  if (!handler) throw new Error(`No mock for ${domain}.${name}`)
  return handler
}

/** Creates MSW handlers for the whole API, which share one store. The handler for unknown paths comes last. */
export function createHandlers(store: Store): HttpHandler[] {
  const handlers = Object.entries(routes).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, route]: [string, Route]) =>
      serve(store, route, handlerOf(domain, name)),
    ),
  )
  const paths = Object.values(routes).flatMap(table => Object.values(table).map(({ path }) => path))
  return [...handlers, ...paths.map(unsupportedMethod), unknownRoute]
}
