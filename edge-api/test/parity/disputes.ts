import type { adminDisputes } from '@portal/contract/admin-disputes'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import { newDispute } from './compared-systems.ts'

type Staff = 'admin' | 'superAdmin'

/** Returns a call about a separate open dispute. */
const withDispute =
  (kind: 'gateway' | 'manual', suffix: string, who: Staff = 'admin', body?: object): MakeCall =>
  async world => ({
    token: await world[who](),
    path: `/admin/disputes/${await world.dispute(kind)}${suffix}`,
    ...(body && { body }),
  })

/** Returns a call about a manual dispute that has been recorded as lost. */
const withLostDispute =
  (suffix: string, body: object): MakeCall =>
  async world => {
    const token = await world.superAdmin()
    const path = `/admin/disputes/${await world.dispute('manual')}`
    await world.callOk('POST', `${path}/record`, { token, body: { state: 'lost' } })
    return { token, path: `${path}${suffix}`, body }
  }

export const disputeCases: CasesOf<typeof adminDisputes> = {
  list: {
    succeeds: async world => {
      await world.dispute('gateway')
      return { token: await world.admin(), path: '/admin/disputes?state=open' }
    },
    also: {
      'as a file': callBy('admin', { headers: { accept: 'text/csv' } }),
      'nothing found': callBy('admin', { path: '/admin/disputes?search=CVFNOWHERE' }),
    },
    refuses: { 'an unknown state': callBy('admin', { path: '/admin/disputes?state=gone' }) },
    // Which dispute is due first may differ.
    ignoredFields: ['disputes'],
  },
  create: {
    succeeds: async world => ({ token: await world.admin(), body: newDispute(await world.demoPayment()) }),
    also: {
      'without a deadline': async world => ({
        token: await world.admin(),
        body: { ...newDispute(await world.demoPayment()), due_at: null },
      }),
    },
    refuses: {
      'an unknown transaction': callBy('admin', { body: newDispute('CVF000000000000000000000') }),
      'more than was paid': async world => ({
        token: await world.admin(),
        body: { ...newDispute(await world.demoPayment()), amount: 1_000_000 },
      }),
      'a deadline in the past': async world => ({
        token: await world.admin(),
        body: { ...newDispute(await world.demoPayment()), due_at: '2020-01-01T00:00:00Z' },
      }),
      'a dispute that is known': async world => {
        const call = { token: await world.admin(), body: newDispute(await world.demoPayment()) }
        await world.callOk('POST', '/admin/disputes', call)
        return call
      },
    },
  },
  detail: {
    succeeds: withDispute('gateway', ''),
    also: { 'a dispute that was added manually': withDispute('manual', '') },
    refuses: { 'an unknown id': callBy('admin', { path: '/admin/disputes/nowhere' }) },
    ignoredFields: ['evidence.items', 'evidence.uses', 'evidence.refunds'],
  },
  evidenceFile: {
    succeeds: withDispute('gateway', '/evidence'),
    refuses: { 'an unknown id': callBy('admin', { path: '/admin/disputes/nowhere/evidence' }) },
  },
  saveNote: {
    succeeds: withDispute('gateway', '/note', 'admin', { note: 'Opened by three people.' }),
    refuses: { 'one that is closed': withLostDispute('/note', { note: 'Too late.', state: 'lost' }) },
  },
  accept: {
    succeeds: withDispute('gateway', '/accept', 'superAdmin', { note: 'A double payment.' }),
    refuses: { 'one without an API': withDispute('manual', '/accept', 'superAdmin', {}) },
  },
  contest: {
    succeeds: withDispute('gateway', '/contest', 'admin', { note: 'Delivered at once.' }),
    refuses: { 'one without an API': withDispute('manual', '/contest', 'admin', {}) },
  },
  record: {
    succeeds: withDispute('manual', '/record', 'superAdmin', {
      state: 'contested',
      note: 'Sent by mail.',
      fee: 50,
    }),
    also: { 'one that was lost': withDispute('manual', '/record', 'superAdmin', { state: 'lost' }) },
    refuses: {
      'a dispute that the gateway reports itself': withDispute('gateway', '/record', 'superAdmin', {
        state: 'won',
      }),
      'the current state': withLostDispute('/record', { state: 'lost' }),
      'an unknown state': withDispute('manual', '/record', 'superAdmin', { state: 'open' }),
    },
  },
}
