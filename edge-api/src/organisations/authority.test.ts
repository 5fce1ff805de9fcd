import { routes } from '@portal/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, makeProfile, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'

/*
 * Tests an independent table of permissions: every route of an organisation with every kind of caller. The test fails if a
 * route of these domains is missing from the table.
 */

const everyone = ['owner', 'manager', 'member', 'finance'] as const
const verifiers = ['owner', 'manager', 'member'] as const
const payers = ['owner', 'manager', 'finance'] as const
const managers = ['owner', 'manager'] as const
const owners = ['owner'] as const

type Role = (typeof everyone)[number]

interface Row {
  allowed: readonly Role[]
  body?: unknown
}

const certificate = { certificate_number: 'UG/2018/NOWHERE' }

const table: Record<string, Record<string, Row>> = {
  organisations: {
    read: { allowed: everyone },
    update: { allowed: managers, body: makeProfile() },
    activity: { allowed: managers },
    close: { allowed: owners, body: { current_password: 'Wrong12345!' } },
  },
  organisationMembers: {
    list: { allowed: everyone },
    changeRole: { allowed: managers, body: { role: 'member' } },
    remove: { allowed: managers },
    invite: { allowed: managers, body: { email: 'new@bench-staffing.test', role: 'member' } },
    resend: { allowed: managers },
    revoke: { allowed: managers },
  },
  organisationVerifications: {
    create: { allowed: verifiers, body: certificate },
    list: { allowed: verifiers },
    read: { allowed: verifiers },
    cancel: { allowed: verifiers },
  },
  organisationBatches: {
    create: { allowed: verifiers, body: { certificate_numbers: ['??'] } },
    list: { allowed: verifiers },
    read: { allowed: verifiers },
    cancel: { allowed: verifiers },
    items: { allowed: verifiers },
    letters: { allowed: verifiers },
  },
  organisationKeys: {
    list: { allowed: managers },
    create: { allowed: managers, body: { name: 'Key', mode: 'test', access: 'read' } },
    revoke: { allowed: managers },
    rotate: { allowed: managers, body: {} },
  },
  organisationBilling: {
    balance: { allowed: everyone },
    setAlert: { allowed: payers, body: { low_balance_alert: 100 } },
    movements: { allowed: payers },
    startTopup: { allowed: payers, body: { amount: 1000 } },
    topups: { allowed: payers },
    topup: { allowed: payers },
    invoices: { allowed: payers },
    createInvoice: { allowed: payers, body: { amount: 1000 } },
    cancelInvoice: { allowed: payers },
    invoicePdf: { allowed: payers },
    statements: { allowed: payers },
    statement: { allowed: payers },
    statementPdf: { allowed: payers },
  },
}

const rows = Object.entries(table).flatMap(([domain, entries]) =>
  Object.entries(entries).map(([name, row]) => ({ key: `${domain}.${name}`, domain, name, ...row })),
)

let setup: TestSetup
let portal: TestPortal
let id: string
let members: Record<Role, Caller>
let outsiders: Record<string, Caller>

beforeAll(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  const newOrganisation = await portal.createOrganisation()
  id = newOrganisation.id
  const { owner } = newOrganisation
  members = {
    owner,
    manager: await portal.addMember(id, owner, 'manager'),
    member: await portal.addMember(id, owner, 'member'),
    finance: await portal.addMember(id, owner, 'finance'),
  }
  const formerMember = await portal.addMember(id, owner, 'manager')
  await portal.callOk('DELETE', `/organisations/${id}/members/${formerMember.user.id}`, {
    token: formerMember.token,
  })
  outsiders = {
    'a former member': formerMember,
    'the owner of another organisation': (await portal.createOrganisation('Other Limited')).owner,
    'an admin': await portal.createCaller('admin'),
    'a super admin': portal.superAdmin,
  }
})
afterAll(() => setup.close())

const routeOf = (domain: string, name: string) =>
  (routes as unknown as Record<string, Record<string, { method: string; path: string }>>)[domain]?.[name]

async function callRoute({ domain, name, body }: (typeof rows)[number], token: string | undefined) {
  const route = routeOf(domain, name)
  if (!route) throw new Error(`no route ${domain}.${name}`)
  const path = route.path
    .replace('{id}', id)
    .replace('{month}', '2026-01')
    .replace(/\{\w+\}/g, 'nothing')
  const { status, body: reply } = await portal.call(route.method, path, {
    ...(token && { token }),
    ...(body !== undefined && { body }),
  })
  return { status, code: reply?.code }
}

test('the table contains every route of an organisation', () => {
  const withoutOrganisation = ['organisations.list', 'organisations.create']
  const allKeys = Object.keys(table).flatMap(domain =>
    Object.keys((routes as unknown as Record<string, object>)[domain] ?? {}).map(name => `${domain}.${name}`),
  )
  expect(allKeys.filter(key => !withoutOrganisation.includes(key)).sort()).toEqual(
    rows.map(({ key }) => key).sort(),
  )
})

describe.each(rows)('$key', row => {
  test.each(everyone)('allows or refuses the role %s as the table says', async role => {
    const { status, code } = await callRoute(row, members[role].token)
    if (row.allowed.includes(role)) {
      expect([code, status]).not.toEqual(['FORBIDDEN', 403])
      expect(code).not.toBe('ORGANISATION_NOT_FOUND')
      expect(status).toBeLessThan(500)
    } else expect([status, code]).toEqual([403, 'FORBIDDEN'])
  })

  test('a caller who is not a member gets a 404 response, and an anonymous one a 401 response', async () => {
    for (const [description, caller] of Object.entries(outsiders))
      expect([description, ...Object.values(await callRoute(row, caller.token))]).toEqual([
        description,
        404,
        'ORGANISATION_NOT_FOUND',
      ])
    expect(await callRoute(row, undefined)).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
  })
})

describe('staff routes', () => {
  test('require a staff account, and a super admin if they move money', async () => {
    const admin = await portal.createCaller('admin')
    for (const [name, route] of Object.entries(routes.adminOrganisations)) {
      const path = route.path.replace('{id}', id).replace(/\{\w+\}/g, 'nothing')
      const options = { ...(route.method !== 'GET' && 'body' in route && { body: {} }) }
      const errorCodeFor = async (token: string) =>
        (await portal.call(route.method, path, { token, ...options })).body.code
      expect([name, await errorCodeFor(members.owner.token)]).toEqual([name, 'FORBIDDEN'])
      if (route.access === 'super_admin')
        expect([name, await errorCodeFor(admin.token)]).toEqual([name, 'FORBIDDEN'])
    }
  })
})

describe('owners', () => {
  test('the last owner cannot leave or be demoted; if two demote each other at the same time, one remains owner', {
    tags: ['ORGANISATION-17', 'ORGANISATION-18'],
  }, async () => {
    const { id: organisationId, owner } = await portal.createOrganisation('Two Owners Limited')
    const memberPath = (userId: string) => `/organisations/${organisationId}/members/${userId}`
    const refused = await portal.call('DELETE', memberPath(owner.user.id), { token: owner.token })
    expect([refused.status, refused.body.code]).toEqual([409, 'LAST_OWNER'])
    const secondOwner = await portal.addMember(organisationId, owner, 'owner')
    const body = { role: 'member' }
    const replies = await Promise.all([
      portal.call('PUT', memberPath(secondOwner.user.id), { token: owner.token, body }),
      portal.call('PUT', memberPath(owner.user.id), { token: secondOwner.token, body }),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { members: remainingMembers } = await portal.callOk(
      'GET',
      `/organisations/${organisationId}/members`,
      {
        token: replies[0]?.status === 200 ? owner.token : secondOwner.token,
      },
    )
    expect(remainingMembers.filter((item: { role: string }) => item.role === 'owner')).toHaveLength(1)
  })

  test('a disabled owner does not count as an owner, and staff can appoint another one', {
    tags: ['ORGANISATION-17'],
  }, async () => {
    const { id: organisationId, owner } = await portal.createOrganisation('Left Alone Limited')
    const newOwner = await portal.addMember(organisationId, owner, 'member')
    await setup.disable(owner.user)
    const listed = await portal.callOk('GET', `/organisations/${organisationId}/members`, {
      token: newOwner.token,
    })
    expect(listed.members).toHaveLength(1)
    await portal.callOk('POST', `/admin/organisations/${organisationId}/owner`, {
      token: portal.superAdmin.token,
      body: { user_id: newOwner.user.id },
    })
    const { organisation } = await portal.callOk('GET', `/organisations/${organisationId}`, {
      token: newOwner.token,
    })
    expect(organisation.role).toBe('owner')
  })
})

describe('invitations', () => {
  async function createInvitation() {
    const { id: organisationId, owner } = await portal.createOrganisation('Inviting Limited')
    const person = await portal.createCaller()
    const options = { token: owner.token, body: { email: person.user.email, role: 'member' } }
    const { invitation } = await portal.callOk(
      'POST',
      `/organisations/${organisationId}/invitations`,
      options,
    )
    await setup.waitUntilIdle()
    const mail = setup.ports.sent.findLast(
      ({ to, subject }) => to === person.user.email && /Invitation/.test(subject),
    )
    const token = /\/invitations\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    return { organisationId, owner, person, invitation, token }
  }

  test('can be accepted once, and only by the invited address', { tags: ['ORGANISATION-19'] }, async () => {
    const { person, token } = await createInvitation()
    const other = await portal.createCaller()
    const accept = (caller: Caller) =>
      portal.call('POST', `/invitations/${token}/accept`, { token: caller.token })
    expect((await accept(other)).status).toBe(403)
    expect((await accept(person)).status).toBe(200)
    expect((await accept(person)).body.code).toBe('INVALID_INVITATION')
  })

  test('are no longer valid once revoked, replaced by a new one, or 7 days old', {
    tags: ['ORGANISATION-19'],
  }, async () => {
    const revoked = await createInvitation()
    const invitationPath = `/organisations/${revoked.organisationId}/invitations/${revoked.invitation.id}`
    await portal.callOk('DELETE', invitationPath, { token: revoked.owner.token })
    expect((await portal.call('GET', `/invitations/${revoked.token}`)).body.code).toBe('INVALID_INVITATION')
    const secondInvitation = await createInvitation()
    const path = `/organisations/${secondInvitation.organisationId}/invitations/${secondInvitation.invitation.id}/resend`
    await portal.callOk('POST', path, { token: secondInvitation.owner.token })
    expect((await portal.call('GET', `/invitations/${secondInvitation.token}`)).body.code).toBe(
      'INVALID_INVITATION',
    )
    const late = await createInvitation()
    setup.ports.time += 7 * 86_400_000
    expect((await portal.call('GET', `/invitations/${late.token}`)).body.code).toBe('EXPIRED_INVITATION')
  })
})
