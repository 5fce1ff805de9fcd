import { routes } from '@portal/contract/routes'
import { expect, test } from 'vitest'
import { replicaRoutes } from './replica-routes.ts'

const names = new Map<unknown, string>(
  Object.entries(routes).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, route]) => [route, `${domain}.${name}`] as const),
  ),
)

test('a replica only answers reads of logged-in accounts', () => {
  for (const route of replicaRoutes) {
    expect([names.get(route), route.method]).toEqual([expect.stringContaining('.'), 'GET'])
    expect([names.get(route), route.access]).not.toContain('public')
  }
})

test('no replica is used to read a session, a payment that may be synced, a refund, a letter or a policy in force', {
  tags: ['RUNTIME-4'],
}, () => {
  const replicaDomains = new Set([...replicaRoutes].map(route => names.get(route)?.split('.')[0]))
  for (const domain of [
    'auth',
    'secondFactor',
    'bulkVerification',
    'transactions',
    'adminReconciliation',
    'letters',
  ])
    expect(replicaDomains).not.toContain(domain)
  for (const item of [
    routes.verification.checkStatus,
    routes.verification.paymentStatus,
    routes.adminSettings.fee,
  ])
    expect(replicaRoutes.has(item)).toBe(false)
})
