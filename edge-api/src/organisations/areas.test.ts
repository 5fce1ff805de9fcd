import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Caller, type Desk, openDesk, profile } from '../../test/organisation-bench.ts'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { writeSetting } from '../settings/store.ts'

/* Menu items depend on the account's organisations and on the portal's policy. */

let bench: Bench
let desk: Desk
beforeEach(async () => {
  bench = await openBench()
  desk = await openDesk(bench)
})
afterEach(() => bench.close())

const setPolicy = (organisations: 'on' | 'off') =>
  bench.database.write(tx =>
    writeSetting(tx, {
      key: 'policies',
      value: { unknown_certificates: 'free', public_tracking: 'full', organisations },
      at: bench.ports.time,
      by: null,
    }),
  )
const areasOf = ({ token }: Caller) => desk.must('GET', '/account/areas', { token })
const staffSee = async () => {
  const { token } = desk.superAdmin
  return (await desk.must('GET', '/admin/organisations', { token })).offered
}

test('staff see the organisations if the portal offers them or one exists', async () => {
  expect(await staffSee()).toBe(true)
  await setPolicy('off')
  expect(await staffSee()).toBe(false)
  await setPolicy('on')
  await desk.organisation()
  await setPolicy('off')
  expect(await staffSee()).toBe(true)
})

test('an account sees its organisations with its roles, its invitations, and whether it can create one', async () => {
  const { id, owner } = await desk.organisation()
  const person = await desk.caller()
  expect(await areasOf(person)).toEqual({
    organisations: [],
    invitations: [],
    research_requests: 0,
    claims: 0,
    offers: { organisations: true, research: false, graduates: false },
  })
  await desk.must('POST', `/organisations/${id}/invitations`, {
    token: owner.token,
    body: { email: person.user.email, role: 'finance' },
  })
  const invited = await areasOf(person)
  expect(invited).toMatchObject({ organisations: [], invitations: [{ role: 'finance' }] })
  await desk.must('POST', `/account/invitations/${invited.invitations[0].id}/accept`, { token: person.token })
  const { name } = profile()
  expect(await areasOf(person)).toMatchObject({
    organisations: [{ id, name, role: 'finance' }],
    invitations: [],
  })
  expect(await areasOf(owner)).toMatchObject({ organisations: [{ id, name, role: 'owner' }] })
})

test('with the policy off, nothing is offered or created, and members keep their organisation', async () => {
  const { id, owner } = await desk.organisation()
  await setPolicy('off')
  expect(await areasOf(owner)).toMatchObject({
    organisations: [{ id }],
    offers: { organisations: false },
  })
  const { token } = await desk.caller()
  const refused = await desk.call('POST', '/organisations', { token, body: profile('Too Late Limited') })
  expect([refused.status, refused.body.code]).toEqual([403, 'FEATURE_OFF'])
  await desk.fund(id, 5000)
  expect((await desk.verify(id, owner, await bench.newCertificate())).status).toBe(201)
})
