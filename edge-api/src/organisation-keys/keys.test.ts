import { newSecret } from '@portal/rules/api-key'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Caller,
  openTestPortal,
  STAFF_PASSWORD,
  type TestPortal,
} from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createLoggingClient } from '../../test/query-log.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { updatePasswordHash } from '../accounts/store.ts'
import { openDatabase } from '../db/database.ts'
import { drainOutbox } from '../mail/outbox.ts'
import { forgetMember } from '../membership/store.ts'
import { authenticateKey } from './authenticate.ts'
import { warnOfExpiry } from './expiry.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let setup: TestSetup
let portal: TestPortal
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
})
afterEach(() => setup.close())

const vet = (id: string) =>
  portal.callOk('POST', `/admin/organisations/${id}/vet`, { token: portal.superAdmin.token })

async function setPassword({ user }: Caller): Promise<void> {
  const passwordHash = await hashPassword(STAFF_PASSWORD, 4)
  await setup.database.write(tx =>
    updatePasswordHash(tx, { id: user.id, passwordHash, now: setup.ports.time }),
  )
}

/** Creates a vetted organisation whose owner has a password. */
async function newTeam() {
  const newOrganisation = await portal.createOrganisation()
  await vet(newOrganisation.id)
  await setPassword(newOrganisation.owner)
  return {
    ...newOrganisation,
    token: newOrganisation.owner.token,
    path: `/organisations/${newOrganisation.id}/keys`,
  }
}

const liveKey = { name: 'Payroll', mode: 'live', access: 'write', current_password: STAFF_PASSWORD }
const testKey = { name: 'Trial', mode: 'test', access: 'write' }

const balanceWith = async (secret: string) => {
  const { status, body, headers } = await portal.call('GET', '/v1/balance', { token: secret })
  return { status, code: body.code, livemode: body.livemode, error: body.error, headers }
}

const refused = { status: 401, code: 'UNAUTHENTICATED' }

test('a live key needs vetting and the current password, and a test key needs neither', async () => {
  const { id, owner } = await portal.createOrganisation()
  await setPassword(owner)
  const path = `/organisations/${id}/keys`
  const post = async (body: object) => {
    const response = await portal.call('POST', path, { token: owner.token, body })
    return [response.status, response.body.code, response.body.fields?.current_password]
  }
  expect(await post(liveKey)).toEqual([403, 'ORGANISATION_NOT_VETTED', undefined])
  expect(await post(testKey)).toEqual([201, undefined, undefined])
  await vet(id)
  const { current_password: _, ...withoutPassword } = liveKey
  expect(await post(withoutPassword)).toEqual([400, 'VALIDATION_ERROR', 'Password is required'])
  expect((await post({ ...liveKey, current_password: 'Wrong1234' })).slice(0, 2)).toEqual([
    400,
    'INVALID_CURRENT_PASSWORD',
  ])
  expect(await post(liveKey)).toEqual([201, undefined, undefined])
})

test('a key is shown once, and only its hash is stored', async () => {
  const { path, token } = await newTeam()
  const createdKey = await portal.callOk('POST', path, { token, body: { ...liveKey, expires_in_days: 30 } })
  expect(createdKey.secret).toMatch(/^cv_live_[0-9A-Za-z]{38}$/)
  expect(createdKey.key).toMatchObject({ name: 'Payroll', mode: 'live', access: 'write', revoked_at: null })
  expect(Date.parse(createdKey.key.expires_at) - Date.parse(createdKey.key.created_at)).toBe(30 * DAY)
  const listed = await portal.callOk('GET', path, { token })
  expect(listed.keys).toEqual([createdKey.key])
  await setup.waitUntilIdle()
  const randomPart = createdKey.secret.slice(12, 34)
  const { rows: tables } = await setup.database.client.execute(
    "select name from sqlite_master where type = 'table' and sql not like '%virtual%'",
  )
  for (const { name } of tables) {
    const { rows } = await setup.database.client.execute(`select * from "${String(name)}"`)
    expect([name, JSON.stringify(rows).includes(randomPart)]).toEqual([name, false])
  }
  expect(JSON.stringify(setup.ports.lines)).not.toContain(randomPart)
  expect(setup.ports.sent.some(({ text }) => text.includes(randomPart))).toBe(false)
  expect(setup.ports.sent.some(({ subject }) => /New API key/.test(subject))).toBe(true)
})

test('a retry with the same idempotency key returns the same secret, which is stored encrypted for this purpose', async () => {
  const { path, token } = await newTeam()
  const headers = { 'idempotency-key': 'k-1' }
  const first = await portal.call('POST', path, { token, body: liveKey, headers })
  const secondReply = await portal.call('POST', path, { token, body: liveKey, headers })
  expect(secondReply.body).toEqual(first.body)
  expect(secondReply.headers.get('idempotent-replayed')).toBe('true')
  const { rows } = await setup.database.client.execute('select * from organisation_idempotency_keys')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(first.body.secret.slice(12, 34))
  const mismatched = await portal.call('POST', path, { token, body: { ...liveKey, name: 'Other' }, headers })
  expect([mismatched.status, mismatched.body.code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
})

test('unknown, expired, revoked and mistyped keys get the same response', {
  tags: ['ORGANISATION-24'],
}, async () => {
  const { path, token } = await newTeam()
  const secrets: string[] = []
  for (const expires_in_days of [1, 365, 365])
    secrets.push((await portal.callOk('POST', path, { token, body: { ...testKey, expires_in_days } })).secret)
  const [expired = '', revoked = '', valid = ''] = secrets
  const { keys } = await portal.callOk('GET', path, { token })
  await portal.callOk('DELETE', `${path}/${keys[1].id}`, { token })
  setup.ports.time += DAY
  expect(await balanceWith(valid)).toMatchObject({ status: 200, livemode: false })
  const mistyped = valid.slice(0, -1) + (valid.endsWith('x') ? 'y' : 'x')
  const responses = []
  for (const secret of [expired, revoked, newSecret('test'), mistyped, 'cv_live_', 'nothing'])
    responses.push(await balanceWith(secret))
  for (const { status, code, error, headers } of responses) {
    expect({ status, code, error }).toEqual({ ...refused, error: responses[0]?.error })
    expect(headers.get('www-authenticate')).toBe('Bearer')
  }
})

test('looking up an unknown, expired or revoked key, or one of a closed organisation, costs the same: one query and one count', {
  tags: ['ORGANISATION-33'],
}, async () => {
  const { path, token } = await newTeam()
  const [expired, revoked] = [
    await portal.callOk('POST', path, { token, body: { ...testKey, expires_in_days: 1 } }),
    await portal.callOk('POST', path, { token, body: testKey }),
  ]
  await portal.callOk('DELETE', `${path}/${revoked.key.id}`, { token })
  const other = await newTeam()
  const closed = await portal.callOk('POST', other.path, { token: other.token, body: testKey })
  await portal.callOk('POST', `/admin/organisations/${other.id}/close`, { token: portal.superAdmin.token })
  setup.ports.time += DAY
  // The second handle does not wait for work that the first one still does in the background.
  await setup.waitUntilIdle()

  const { client, sent } = createLoggingClient(setup.database.client)
  const db = openDatabase(client, { serialiseWrites: true })
  async function statementsOf(secret: string): Promise<string[]> {
    sent.length = 0
    const call = { db, ports: setup.ports, authorization: `Bearer ${secret}`, address: '192.0.2.44' }
    await expect(authenticateKey(call)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    return sent.slice()
  }
  // The first call is not measured, because it prepares its statements.
  await statementsOf(newSecret('test'))
  const unknown = await statementsOf(newSecret('test'))
  expect(unknown.filter(sql => /organisation_keys/.test(sql))).toHaveLength(1)
  expect(unknown.some(sql => /rate_limits/.test(sql))).toBe(true)
  for (const { secret } of [expired, revoked, closed]) expect(await statementsOf(secret)).toEqual(unknown)
})

test('an organisation can have ten keys in each mode, not counting revoked, expired and rotated ones', async () => {
  const { path, token } = await newTeam()
  const createdKeys = []
  for (let count = 0; count < 10; count++)
    createdKeys.push(
      await portal.callOk('POST', path, { token, body: { ...testKey, expires_in_days: 1 + count } }),
    )
  const createEleventhKey = async () => {
    const { status, body } = await portal.call('POST', path, { token, body: testKey })
    return [status, body.code]
  }
  expect(await createEleventhKey()).toEqual([409, 'LIMIT_REACHED'])
  expect((await portal.call('POST', path, { token, body: liveKey })).status).toBe(201)
  await portal.callOk('POST', `${path}/${createdKeys[9].key.id}/rotate`, { token, body: {} })
  expect(await createEleventhKey()).toEqual([409, 'LIMIT_REACHED'])
  await portal.callOk('DELETE', `${path}/${createdKeys[8].key.id}`, { token })
  expect((await createEleventhKey())[0]).toBe(201)
  setup.ports.time += DAY
  expect((await createEleventhKey())[0]).toBe(201)
})

test('after a rotation, the old key works during the grace hours, and its replacement has the original lifetime', async () => {
  const { path, token } = await newTeam()
  const old = await portal.callOk('POST', path, { token, body: { ...liveKey, expires_in_days: 90 } })
  const rotate = `${path}/${old.key.id}/rotate`
  const { key, secret } = await portal.callOk('POST', rotate, { token, body: { grace_hours: 2 } })
  expect(key).toMatchObject({ name: 'Payroll', mode: 'live', access: 'write' })
  expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(90 * DAY)
  setup.ports.time += 2 * HOUR - 1
  expect((await balanceWith(old.secret)).status).toBe(200)
  setup.ports.time += 1
  expect(await balanceWith(old.secret)).toMatchObject(refused)
  expect((await balanceWith(secret)).status).toBe(200)
  const secondRotation = await portal.call('POST', rotate, { token, body: {} })
  expect([secondRotation.status, secondRotation.body.code]).toEqual([409, 'WRONG_STATE'])
  await portal.callOk('POST', `${path}/${key.id}/rotate`, { token, body: { grace_hours: 0 } })
  expect(await balanceWith(secret)).toMatchObject(refused)
})

test('closing an organisation revokes its keys; reopening does not restore them', async () => {
  const { id, path, token } = await newTeam()
  const { secret } = await portal.callOk('POST', path, { token, body: liveKey })
  const staff = { token: portal.superAdmin.token }
  await portal.callOk('POST', `/admin/organisations/${id}/close`, staff)
  expect(await balanceWith(secret)).toMatchObject(refused)
  await portal.callOk('POST', `/admin/organisations/${id}/reopen`, staff)
  expect(await balanceWith(secret)).toMatchObject(refused)
})

test('the log of the organisation contains the key’s name', async () => {
  const { id, path, token } = await newTeam()
  const { key } = await portal.callOk('POST', path, { token, body: liveKey })
  await portal.callOk('POST', `${path}/${key.id}/rotate`, { token, body: {} })
  await portal.callOk('DELETE', `${path}/${key.id}`, { token })
  const { activity } = await portal.callOk('GET', `/organisations/${id}/activity`, { token })
  const keyActivity = activity.filter((item: { activity: string }) => /^API key/.test(item.activity))
  expect(keyActivity.map((item: { activity: string }) => item.activity)).toEqual([
    'API key revoked',
    'API key rotated',
    'API key created',
  ])
  expect(keyActivity[2].details).toBe(`Payroll (live, …${key.last4})`)
})

test('owners and managers are notified once, 14 days before a key expires', async () => {
  const { id, owner, path, token } = await newTeam()
  const manager = await portal.addMember(id, owner, 'manager')
  await portal.addMember(id, owner, 'finance')
  await portal.callOk('POST', path, { token, body: { ...testKey, expires_in_days: 30 } })
  await portal.callOk('POST', path, { token, body: { ...testKey, name: 'Short', expires_in_days: 14 } })
  const notifiedAddresses = async () => {
    await warnOfExpiry(setup.ports, setup.database)
    await drainOutbox(setup.ports, setup.database)
    return setup.ports.sent.filter(({ subject }) => /expires on/.test(subject)).map(({ to }) => to)
  }
  setup.ports.time += 16 * DAY - 1
  expect(await notifiedAddresses()).toEqual([])
  setup.ports.time += 1
  expect((await notifiedAddresses()).sort()).toEqual([owner.user.email, manager.user.email].sort())
  setup.ports.time += DAY
  expect(await notifiedAddresses()).toHaveLength(2)
})

test('the keys of an erased member stay valid, without their creator; a data export names keys, but no secrets', async () => {
  const { path, token, owner } = await newTeam()
  const { key, secret } = await portal.callOk('POST', path, { token, body: testKey })
  const data = await portal.callOk('GET', '/account/data', { token })
  expect(data.organisations.api_keys).toEqual([
    {
      organisation: 'Bench Staffing Limited',
      name: 'Trial',
      mode: 'test',
      last4: key.last4,
      created_at: key.created_at,
    },
  ])
  expect(JSON.stringify(data)).not.toContain(secret.slice(12, 34))
  await setup.database.write(tx => forgetMember(tx, { userId: owner.user.id, addresses: [] }))
  expect((await balanceWith(secret)).status).toBe(200)
})

test('the time of the last use is recorded, at most once a minute', async () => {
  const { path, token } = await newTeam()
  const { secret } = await portal.callOk('POST', path, { token, body: testKey })
  const readLastUsedAt = async () => (await portal.callOk('GET', path, { token })).keys[0].last_used_at
  expect(await readLastUsedAt()).toBeNull()
  await balanceWith(secret)
  const first = await readLastUsedAt()
  expect(Date.parse(first)).toBe(setup.ports.time)
  setup.ports.time += 59_000
  await balanceWith(secret)
  expect(await readLastUsedAt()).toBe(first)
  setup.ports.time += 1000
  await balanceWith(secret)
  expect(Date.parse(await readLastUsedAt())).toBe(setup.ports.time)
})
