import type { Role } from '@portal/contract/shapes'
import { hashPassword } from '../src/accounts/passwords.ts'
import { insertSession } from '../src/accounts/session-store.ts'
import { updatePasswordHash } from '../src/accounts/store.ts'
import { signToken } from '../src/accounts/tokens.ts'
import { createApp } from '../src/app.ts'
import type { Principal } from '../src/principal.ts'
import { writeSetting } from '../src/settings/store.ts'
import type { TestSetup } from './payment-setup.ts'

/* Set-up for tests of organisations, with the whole app, one database, a stopped clock and a gateway that the test controls. */

export interface Caller {
  user: Principal
  token: string
}

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape and assert what they expect.
  body: any
  headers: Headers
}

export const makeProfile = (name = 'Bench Staffing Limited') => ({
  name,
  address: { line1: '7 Marina', city: 'Lagos', state: 'Lagos', country: 'Nigeria' },
  contact_email: 'hr@bench-staffing.test',
  phone: '+2348105550199',
})

/** The password of the super admin. */
export const STAFF_PASSWORD = 'Demo1234'

export type TestPortal = Awaited<ReturnType<typeof openTestPortal>>

/** Opens the portal on a test set-up, with accounts that call it, organisations enabled and generous rate limits. */
export async function openTestPortal(setup: TestSetup) {
  Object.assign(setup.ports.environment, { RATE_LIMIT_SCALE: 1000 })
  const app = createApp(setup.ports)
  await setup.database.write(tx =>
    writeSetting(tx, {
      key: 'policies',
      value: { unknown_certificates: 'free', public_tracking: 'full', organisations: 'on' },
      at: setup.ports.time,
      author: null,
    }),
  )

  async function call(
    method: string,
    path: string,
    { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const response = await app.fetch(
      new Request(`http://localhost:8080/api${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
      { peerAddress: '192.0.2.9' },
    )
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
  }

  /** Sends a call that must succeed. */
  async function callOk(method: string, path: string, options: Parameters<typeof call>[2] = {}) {
    const { status, body } = await call(method, path, options)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async function createCaller(role: Role = 'user'): Promise<Caller> {
    const user = await setup.newUser(role)
    const issuedAt = setup.ports.time
    const claims = {
      userId: user.id,
      sessionId: crypto.randomUUID(),
      role,
      issuedAt,
      expiresAt: issuedAt + 1e12,
    }
    const { sessionId: id, userId, expiresAt } = claims
    await setup.database.write(tx => insertSession(tx, { id, userId, createdAt: issuedAt, expiresAt }))
    return { user, token: await signToken(claims, setup.ports.environment.JWT_SECRETS) }
  }

  async function createOrganisation(name?: string) {
    const owner = await createCaller()
    const { organisation: newOrganisation } = await callOk('POST', '/organisations', {
      token: owner.token,
      body: makeProfile(name),
    })
    return { id: String(newOrganisation.id), owner }
  }

  const superAdmin = await createCaller('super_admin')
  const passwordHash = await hashPassword(STAFF_PASSWORD, 4)
  await setup.database.write(tx =>
    updatePasswordHash(tx, { id: superAdmin.user.id, passwordHash, now: setup.ports.time }),
  )
  let transferCount = 0

  /** Credits a bank transfer, in major units, to an organisation. */
  async function fund(id: string, amount: number): Promise<string> {
    const { movement } = await callOk('POST', `/admin/organisations/${id}/credits`, {
      token: superAdmin.token,
      body: { amount, bank_reference: `FT ${++transferCount}`, received_on: '2026-01-15' },
    })
    return movement.transaction_id
  }

  /** Adds a member with a role to an organisation. */
  async function addMember(id: string, owner: Caller, role: string): Promise<Caller> {
    const person = await createCaller()
    await callOk('POST', `/organisations/${id}/invitations`, {
      token: owner.token,
      body: { email: person.user.email, role },
    })
    const { invitations } = await callOk('GET', '/account/areas', { token: person.token })
    await callOk('POST', `/account/invitations/${invitations[0].id}/accept`, { token: person.token })
    return person
  }

  const verify = (id: string, member: Caller, certificate_number: string, headers = {}) =>
    call('POST', `/organisations/${id}/verifications`, {
      token: member.token,
      body: { certificate_number },
      headers,
    })

  return {
    setup,
    app,
    call,
    callOk,
    createCaller: createCaller,
    createOrganisation: createOrganisation,
    superAdmin,
    fund,
    addMember: addMember,
    verify,
  }
}

type Row = Record<string, number | string | null>

async function select(setup: TestSetup, sql: string, args: string[] = []): Promise<Row[]> {
  const { rows } = await setup.database.client.execute({ sql, args })
  return rows.map(row => ({ ...row }) as unknown as Row)
}

/** Checks the invariants of every organisation. @returns the violations; empty if there are none */
export async function findViolations(setup: TestSetup): Promise<string[]> {
  const problems: string[] = []
  const organisations = await select(
    setup,
    `select id, balance_minor, held_minor, debt_minor,
       (select coalesce(sum(amount_minor), 0) from organisation_movements where organisation_id = o.id) as movements,
       (select coalesce(sum(amount_minor), 0) from organisation_holds where organisation_id = o.id and state = 'held') as holds,
       (select coalesce(-sum(e.amount_minor), 0) from ledger_entries e join payments p on p.id = e.payment_id
         where p.organisation_id = o.id and e.account = 'organisation_balances') as ledger,
       (select coalesce(sum(e.amount_minor), 0) from ledger_entries e join payments p on p.id = e.payment_id
         where p.organisation_id = o.id and e.account = 'organisation_debts') as debts
     from organisations o`,
  )
  for (const row of organisations) {
    if (Number(row.held_minor) < 0 || Number(row.held_minor) > Number(row.balance_minor))
      problems.push(`held ${row.held_minor} of ${row.balance_minor}`)
    if (row.balance_minor !== row.movements)
      problems.push(`movements ${row.movements} of ${row.balance_minor}`)
    if (row.balance_minor !== row.ledger) problems.push(`ledger ${row.ledger} of ${row.balance_minor}`)
    if (row.held_minor !== row.holds) problems.push(`holds ${row.holds} of ${row.held_minor}`)
    if (row.debt_minor !== row.debts) problems.push(`debts ${row.debts} of ${row.debt_minor}`)
  }
  const unbalanced = await select(
    setup,
    'select payment_id from ledger_entries group by payment_id, currency having sum(amount_minor) <> 0',
  )
  for (const { payment_id } of unbalanced) problems.push(`ledger of ${payment_id}`)
  const wronglyRecorded = await select(
    setup,
    `select m.id from organisation_movements m where m.type = 'charge' and
       (select count(*) from ledger_entries e where e.payment_id = m.payment_id and e.account = 'organisation_balances' and e.reason = 'charge') <> 1`,
  )
  for (const { id } of wronglyRecorded) problems.push(`charge ${id} is not in the ledger once`)
  const unfulfilled = await select(
    setup,
    `select p.id from payments p where p.provider = 'balance' and p.status = 'paid' and
       (select count(*) from fulfilments f where f.payment_id = p.id) <> 1`,
  )
  for (const { id } of unfulfilled) problems.push(`charge ${id} without its fulfilment`)
  return problems
}
