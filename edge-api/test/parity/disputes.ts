import type { adminDisputes } from '@portal/contract/admin-disputes'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import { makeDisputeBody } from './compared-systems.ts'

type StaffRole = 'admin' | 'superAdmin'

/** Returns a call about a new open dispute. */
const withDispute =
  (kind: 'gateway' | 'manual', suffix: string, role: StaffRole = 'admin', body?: object): MakeCall =>
  async fixture => ({
    token: await fixture[role](),
    path: `/admin/disputes/${await fixture.createDispute(kind)}${suffix}`,
    ...(body && { body }),
  })

/** Returns a call about a manual dispute that has been recorded as lost. */
const withLostDispute =
  (suffix: string, body: object): MakeCall =>
  async fixture => {
    const token = await fixture.superAdmin()
    const path = `/admin/disputes/${await fixture.createDispute('manual')}`
    await fixture.callOk('POST', `${path}/record`, { token, body: { state: 'lost' } })
    return { token, path: `${path}${suffix}`, body }
  }

export const disputeCases: CasesOf<typeof adminDisputes> = {
  list: {
    succeeds: async fixture => {
      await fixture.createDispute('gateway')
      return { token: await fixture.admin(), path: '/admin/disputes?state=open' }
    },
    also: {
      'as a CSV file': callBy('admin', { headers: { accept: 'text/csv' } }),
      'without a match': callBy('admin', { path: '/admin/disputes?search=CVFNOWHERE' }),
    },
    refuses: { 'an unknown state': callBy('admin', { path: '/admin/disputes?state=gone' }) },
    // The API and the mocks may list disputes in a different order.
    ignoredFields: ['disputes'],
  },
  create: {
    succeeds: async fixture => ({
      token: await fixture.admin(),
      body: makeDisputeBody(await fixture.findDemoPayment()),
    }),
    also: {
      'a dispute without a deadline': async fixture => ({
        token: await fixture.admin(),
        body: { ...makeDisputeBody(await fixture.findDemoPayment()), due_at: null },
      }),
    },
    refuses: {
      'an unknown transaction': callBy('admin', { body: makeDisputeBody('CVF000000000000000000000') }),
      'an amount above the payment': async fixture => ({
        token: await fixture.admin(),
        body: { ...makeDisputeBody(await fixture.findDemoPayment()), amount: 1_000_000 },
      }),
      'a deadline in the past': async fixture => ({
        token: await fixture.admin(),
        body: { ...makeDisputeBody(await fixture.findDemoPayment()), due_at: '2020-01-01T00:00:00Z' },
      }),
      'a dispute that already exists': async fixture => {
        const call = { token: await fixture.admin(), body: makeDisputeBody(await fixture.findDemoPayment()) }
        await fixture.callOk('POST', '/admin/disputes', call)
        return call
      },
    },
  },
  detail: {
    succeeds: withDispute('gateway', ''),
    also: { 'a dispute that was added manually': withDispute('manual', '') },
    refuses: { 'an unknown ID': callBy('admin', { path: '/admin/disputes/nowhere' }) },
    ignoredFields: ['evidence.items', 'evidence.uses', 'evidence.refunds'],
  },
  evidenceFile: {
    succeeds: withDispute('gateway', '/evidence'),
    refuses: { 'an unknown ID': callBy('admin', { path: '/admin/disputes/nowhere/evidence' }) },
  },
  saveNote: {
    succeeds: withDispute('gateway', '/note', 'admin', { note: 'Opened by three people.' }),
    refuses: { 'a closed dispute': withLostDispute('/note', { note: 'Too late.', state: 'lost' }) },
  },
  accept: {
    succeeds: withDispute('gateway', '/accept', 'superAdmin', { note: 'A double payment.' }),
    refuses: { 'a dispute at a gateway without an API': withDispute('manual', '/accept', 'superAdmin', {}) },
  },
  contest: {
    succeeds: withDispute('gateway', '/contest', 'admin', { note: 'Delivered at once.' }),
    refuses: { 'a dispute at a gateway without an API': withDispute('manual', '/contest', 'admin', {}) },
  },
  record: {
    succeeds: withDispute('manual', '/record', 'superAdmin', {
      state: 'contested',
      note: 'Sent by mail.',
      fee: 50,
    }),
    also: { 'a lost dispute': withDispute('manual', '/record', 'superAdmin', { state: 'lost' }) },
    refuses: {
      'a dispute that the gateway reports': withDispute('gateway', '/record', 'superAdmin', {
        state: 'won',
      }),
      'the state that the dispute already has': withLostDispute('/record', { state: 'lost' }),
      'an unknown state': withDispute('manual', '/record', 'superAdmin', { state: 'open' }),
    },
  },
}
