import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Caller, makeProfile, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { writeSetting } from '../settings/store.ts'

/* Tests that menu items depend on the account's organisations and on the portal's policy. */

let setup: TestSetup
let portal: TestPortal
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

const setPolicy = (organisations: 'on' | 'off') =>
  setup.database.write(tx =>
    writeSetting(tx, {
      key: 'policies',
      value: { unknown_certificates: 'free', public_tracking: 'full', organisations },
      at: setup.ports.time,
      author: null,
    }),
  )
const areasOf = ({ token }: Caller) => portal.callOk('GET', '/account/areas', { token })
const areOfferedToStaff = async () => {
  const { token } = portal.superAdmin
  return (await portal.callOk('GET', '/admin/organisations', { token })).offered
}

test('staff see the menu item for organisations if the portal offers them or at least one exists', async () => {
  expect(await areOfferedToStaff()).toBe(true)
  await setPolicy('off')
  expect(await areOfferedToStaff()).toBe(false)
  await setPolicy('on')
  await portal.createOrganisation()
  await setPolicy('off')
  expect(await areOfferedToStaff()).toBe(true)
})

test('an account gets its organisations with its roles, its invitations, and whether it can create an organisation', async () => {
  const { id, owner } = await portal.createOrganisation()
  const person = await portal.createCaller()
  expect(await areasOf(person)).toEqual({
    organisations: [],
    invitations: [],
    research_requests: 0,
    claims: 0,
    offers: { organisations: true, research: false, graduates: false },
  })
  await portal.callOk('POST', `/organisations/${id}/invitations`, {
    token: owner.token,
    body: { email: person.user.email, role: 'finance' },
  })
  const invitedAreas = await areasOf(person)
  expect(invitedAreas).toMatchObject({ organisations: [], invitations: [{ role: 'finance' }] })
  await portal.callOk('POST', `/account/invitations/${invitedAreas.invitations[0].id}/accept`, {
    token: person.token,
  })
  const { name } = makeProfile()
  expect(await areasOf(person)).toMatchObject({
    organisations: [{ id, name, role: 'finance' }],
    invitations: [],
  })
  expect(await areasOf(owner)).toMatchObject({ organisations: [{ id, name, role: 'owner' }] })
})

test('with the policy off, no organisation is offered or created, and members keep theirs', async () => {
  const { id, owner } = await portal.createOrganisation()
  await setPolicy('off')
  expect(await areasOf(owner)).toMatchObject({
    organisations: [{ id }],
    offers: { organisations: false },
  })
  const { token } = await portal.createCaller()
  const refused = await portal.call('POST', '/organisations', {
    token,
    body: makeProfile('Too Late Limited'),
  })
  expect([refused.status, refused.body.code]).toEqual([403, 'FEATURE_OFF'])
  await portal.fund(id, 5000)
  expect((await portal.verify(id, owner, await setup.newCertificate())).status).toBe(201)
})
