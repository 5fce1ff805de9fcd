import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestPortal } from '../../test/account-portal.ts'
import { createOrganisationWithKeys, type OrganisationWithKeys, verifyWithKey } from '../../test/key-setup.ts'
import { openTestPortal as openTeams } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { Connection } from '../db/file-statements.ts'

/* Checks that responses cached while the database is unchanged are never stale, and never reach another caller. */

let setup: TestSetup
let portal: Awaited<ReturnType<typeof openTestPortal>>
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => {
  vi.restoreAllMocks()
  return setup.close()
})

const readPaymentStatus = (transaction: string, token: string) =>
  portal.call('GET', `/verification/check-verification-status/${transaction}`, token)

/** Creates a paid verification of a new account. */
async function newPaidVerification() {
  const account = await portal.account()
  const number = await setup.newCertificate()
  const body = { certificate_number: number }
  const started = (await portal.call('POST', '/verification/process-payment', account.token, body)).body
  setup.gateway.setOutcome(started.payment_reference, 'succeeded')
  const transaction: string = started.transaction_id
  expect((await readPaymentStatus(transaction, account.token)).body.status).toBe('paid')
  return { ...account, number, transaction }
}

/** Returns the queries of a call, without the one for the database's version. */
async function queriesOf(call: () => Promise<unknown>): Promise<string[]> {
  const spies = (['execute', 'cells', 'firstCells'] as const).map(method =>
    vi.spyOn(Connection.prototype, method),
  )
  await call()
  const sent = spies.flatMap(spy => spy.mock.calls.map(([sql]) => String(sql)))
  vi.restoreAllMocks()
  return sent.filter(sql => !sql.includes('data_version'))
}

test('the status of a paid transaction needs no query while nothing changes', async () => {
  const { transaction, token } = await newPaidVerification()
  const first = await readPaymentStatus(transaction, token)
  await readPaymentStatus(transaction, token)
  let repeated: typeof first | undefined
  const queries = await queriesOf(async () => {
    repeated = await readPaymentStatus(transaction, token)
  })
  expect(queries).toEqual([])
  expect(repeated?.body).toEqual(first.body)
  const headerNames = (response: typeof first | undefined) => [...(response?.headers.keys() ?? [])].toSorted()
  expect(headerNames(repeated)).toEqual(headerNames(first))
  expect(repeated?.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
})

test('a change appears in the next response', async () => {
  const { transaction, token, number } = await newPaidVerification()
  for (let times = 0; times < 3; times++)
    expect((await readPaymentStatus(transaction, token)).body.letter.status).toBe('valid')
  await setup.removeCertificate(number)
  expect((await readPaymentStatus(transaction, token)).body.letter.status).toBe('withdrawn')
})

test('a cached response is not sent to others, or after the session has ended', async () => {
  const { transaction, token } = await newPaidVerification()
  const other = await portal.account()
  for (let times = 0; times < 3; times++) {
    expect((await readPaymentStatus(transaction, token)).status).toBe(200)
    expect((await readPaymentStatus(transaction, other.token)).status).toBe(404)
  }
  await readPaymentStatus(transaction, token)
  await readPaymentStatus(transaction, token)
  await portal.call('POST', '/auth/logout', token)
  expect((await readPaymentStatus(transaction, token)).status).toBe(401)
})

test('a cached response is not sent after the token has expired', async () => {
  const { transaction, token } = await newPaidVerification()
  await readPaymentStatus(transaction, token)
  expect((await readPaymentStatus(transaction, token)).status).toBe(200)
  setup.ports.time += 401 * 86_400_000
  expect((await readPaymentStatus(transaction, token)).status).toBe(401)
})

test('a pending payment is never cached, but requeried each time', async () => {
  const account = await portal.account()
  const body = { certificate_number: await setup.newCertificate() }
  const { transaction_id } = (await portal.call('POST', '/verification/process-payment', account.token, body))
    .body
  await newPaidVerification()
  for (let times = 1; times <= 3; times++) {
    setup.ports.time += 6000
    const before = setup.gateway.requeries
    await readPaymentStatus(transaction_id, account.token)
    expect(setup.gateway.requeries - before).toBe(1)
  }
})

/** Creates a verification of a new organisation. `read` reads it, by default with a read-only live key. */
async function createKeyReader() {
  const teams = await openTeams(setup)
  const team: OrganisationWithKeys = await createOrganisationWithKeys(teams, { balance: 50_000 })
  const verification = await verifyWithKey(teams, team.live, await setup.newCertificate())
  const id: string = verification.body.verification.id
  const read = (token = team.liveRead) => teams.call('GET', `/v1/verifications/${id}`, { token })
  const sql = (text: string, args: (string | number)[] = []) =>
    setup.database.client.execute({ sql: text, args })
  return { teams, team, id, read, sql }
}

test('reading with an API key needs no query while nothing changes', async () => {
  const { team, id, read } = await createKeyReader()
  for (let times = 0; times < 2; times++) expect((await read()).status).toBe(200)
  await setup.waitUntilIdle()
  // Delays the counting of calls, because counting changes the database.
  const [lockTaken, lockReleased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = setup.database.write(() => {
    lockTaken.resolve()
    return lockReleased.promise
  })
  await lockTaken.promise
  try {
    const first = await read()
    let repeated: typeof first | undefined
    const queries = await queriesOf(async () => {
      repeated = await read()
    })
    expect(queries).toEqual([])
    expect(repeated?.body).toEqual(first.body)
    expect(repeated?.body.verification.id).toBe(id)
  } finally {
    lockReleased.resolve()
    await writing
  }
  expect((await read(team.testRead)).status).toBe(404)
})

test('each read with an API key is counted, and refused once the key is revoked', async () => {
  const { read, sql } = await createKeyReader()
  const countCalls = async () =>
    (await sql("select sum(count) as n from rate_limits where key like 'api_key:%'")).rows[0]?.n
  for (let times = 0; times < 4; times++) expect((await read()).status).toBe(200)
  // Calls far below the limit are counted shortly afterwards.
  await expect.poll(countCalls).toBe(5)
  await sql('update organisation_keys set revoked_at = ? where access = ?', [setup.ports.time, 'read'])
  expect((await read()).status).toBe(401)
})

test('cached reads with an API key count towards its rate limit, and end when the key expires', async () => {
  const { read, sql } = await createKeyReader()
  Object.assign(setup.ports.environment, { RATE_LIMIT_SCALE: 0.1 })
  const statuses = []
  for (let times = 0; times < 14; times++) statuses.push((await read()).status)
  expect(statuses.toSorted()).toEqual([...Array(12).fill(200), 429, 429])
  setup.ports.time += 61_000
  Object.assign(setup.ports.environment, { RATE_LIMIT_SCALE: 1000 })
  for (let times = 0; times < 3; times++) expect((await read()).status).toBe(200)
  const { rows } = await sql("select expires_at from organisation_keys where access = 'read' limit 1")
  setup.ports.time = Number(rows[0]?.expires_at)
  expect((await read()).status).toBe(401)
})

test('each organisation and mode has its own cached reads', async () => {
  const { teams, team, read } = await createKeyReader()
  const other = await createOrganisationWithKeys(teams, { name: 'Other Staffing Limited', balance: 1000 })
  const balanceWith = async (token: string) => {
    const { body } = await teams.call('GET', '/v1/balance', { token })
    return [body.balance, body.livemode]
  }
  const liveBalance = await balanceWith(team.live)
  for (let times = 0; times < 3; times++) {
    expect((await read()).status).toBe(200)
    expect((await read(other.liveRead)).status).toBe(404)
    expect(await balanceWith(team.live)).toEqual(liveBalance)
    expect(await balanceWith(other.live)).toEqual([1000, true])
    expect((await balanceWith(other.test))[1]).toBe(false)
  }
  await teams.fund(other.id, 500)
  expect(await balanceWith(other.live)).toEqual([1500, true])
})
