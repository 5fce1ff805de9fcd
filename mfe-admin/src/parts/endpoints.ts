import { endpoint } from '@portal/api/endpoint'
import type { adminAnalytics } from '@portal/contract/admin-analytics'
import type { adminLogs } from '@portal/contract/admin-logs'
import type { health } from '@portal/contract/health'
import type { secondFactor as secondFactorRoutes } from '@portal/contract/second-factor'

/* Endpoints are defined without the schemas of their routes, so that zod is only loaded with the first form. */

export const secondFactor = {
  read: endpoint<typeof secondFactorRoutes.read>('GET', '/auth/second-factor'),
  begin: endpoint<typeof secondFactorRoutes.begin>('POST', '/auth/second-factor'),
  confirm: endpoint<typeof secondFactorRoutes.confirm>('POST', '/auth/second-factor/confirm'),
  renewCodes: endpoint<typeof secondFactorRoutes.renewCodes>('POST', '/auth/second-factor/recovery-codes'),
  remove: endpoint<typeof secondFactorRoutes.remove>('POST', '/auth/second-factor/remove'),
}

export const activityLogs = {
  list: endpoint<typeof adminLogs.list>('GET', '/admin/activity-logs'),
}

export const analytics = {
  dashboard: endpoint<typeof adminAnalytics.dashboard>('GET', '/admin/analytics/dashboard'),
  period: endpoint<typeof adminAnalytics.period>('GET', '/admin/analytics'),
}

export const systemHealth = {
  alive: endpoint<typeof health.alive>('GET', '/health'),
  ready: endpoint<typeof health.ready>('GET', '/health/ready'),
  storage: endpoint<typeof adminAnalytics.system>('GET', '/admin/system'),
}
