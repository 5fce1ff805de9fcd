import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { keyRoutes } from '@portal/contract/v1'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganisationWithKeys, type OrganisationWithKeys, verifyWithKey } from '../../test/key-setup.ts'
import { findViolations, openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'

const FEE = 5000

let setup: TestSetup
let portal: TestPortal
let team: OrganisationWithKeys
let other: OrganisationWithKeys
beforeAll(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  team = await createOrganisationWithKeys(portal, { balance: 100 * FEE })
  other = await createOrganisationWithKeys(portal, { balance: 10 * FEE, name: 'Other Limited' })
})
afterAll(() => setup.close())

const listRoutes = (table: Record<string, Record<string, Route>>) =>
  Object.entries(table).flatMap(([domain, entries]) =>
    Object.entries(entries).map(([name, route]) => ({ key: `${domain}.${name}`, route })),
  )
const apiKeyRoutes = listRoutes(keyRoutes)
const accountRoutes = listRoutes(routes).filter(({ route }) => route.access !== 'public')

const callRoute = async ({ method, path }: Route, token: string | undefined) => {
  const { status, body } = await portal.call(method, path.replace(/\{\w+\}/g, 'nothing'), {
    ...(token && { token }),
    ...(method !== 'GET' && { body: {} }),
  })
  return { status, code: body.code, livemode: body.livemode }
}

describe('access', () => {
  test.each(apiKeyRoutes)(
    '$key can be called only with an API key',
    { tags: ['ORGANISATION-22'] },
    async ({ route }) => {
      const refused = { status: 401, code: 'UNAUTHENTICATED', livemode: undefined }
      for (const token of [undefined, team.owner.token, portal.superAdmin.token])
        expect(await callRoute(route, token)).toEqual(refused)
    },
  )

  test.each(apiKeyRoutes)(
    '$key can be read with every key, but changed only with keys that have write access',
    async ({ route }) => {
      for (const [secret, livemode] of [
        [team.liveRead, true],
        [team.testRead, false],
      ] as const) {
        const found = await callRoute(route, secret)
        expect(found.livemode).toBe(livemode)
        if (route.method === 'GET') expect([200, 404]).toContain(found.status)
        else expect(found).toEqual({ status: 403, code: 'FORBIDDEN', livemode })
      }
      for (const secret of [team.live, team.test]) {
        const found = await callRoute(route, secret)
        expect([found.status, found.code]).not.toEqual([403, 'FORBIDDEN'])
        expect(found.status).toBeLessThan(500)
      }
    },
  )

  test('every route without key access refuses keys', { tags: ['ORGANISATION-22'] }, async () => {
    for (const { key, route } of accountRoutes)
      expect([key, await callRoute(route, team.live)]).toEqual([
        key,
        { status: 401, code: 'UNAUTHENTICATED', livemode: undefined },
      ])
  })
})

test('no other origin can read the responses, and no cookie identifies a caller', async () => {
  const send = (method: string, headers: Record<string, string>) =>
    portal.app.fetch(
      new Request('http://localhost:8080/api/v1/balance', {
        method,
        headers: { origin: 'https://elsewhere.test', ...headers },
      }),
      { peerAddress: '192.0.2.9' },
    )
  const read = await send('GET', { authorization: `Bearer ${team.live}` })
  const preflight = await send('OPTIONS', { 'access-control-request-method': 'GET' })
  for (const { headers } of [read, preflight]) expect(headers.get('access-control-allow-origin')).toBeNull()
  expect([read.status, read.headers.get('set-cookie'), preflight.status]).toEqual([200, null, 405])
  expect((await send('GET', { cookie: `key=${team.live}` })).status).toBe(401)
})

test('a verification with a key is charged once, and returns the same fields as the members’ endpoint, but without members’ names', async () => {
  const number = await setup.newCertificate()
  const before = await portal.callOk('GET', '/v1/balance', { token: team.live })
  const first = await verifyWithKey(portal, team.live, number.toLowerCase(), {}, { reference: 'HR-1' })
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({
    verification: {
      certificate_number: number,
      reference: 'HR-1',
      status: 'completed',
      result: 'verified',
      amount: FEE,
      source: 'api',
      livemode: true,
      requested_by: null,
    },
    certificate: { certificate_number: number },
    letter: { status: 'valid' },
    already_paid: false,
    balance: before.available - FEE,
    livemode: true,
  })
  const secondReply = await verifyWithKey(portal, team.live, number)
  expect(secondReply.body).toMatchObject({
    already_paid: true,
    verification: { id: first.body.verification.id },
  })
  const { id } = first.body.verification
  const read = await portal.callOk('GET', `/v1/verifications/${id}`, { token: team.liveRead })
  expect(read).toMatchObject({ verification: first.body.verification, livemode: true })
  expect(read.verification_template.content.opening).toContain(number)
  const members = await portal.callOk('GET', `/organisations/${team.id}/verifications/${id}`, {
    token: team.owner.token,
  })
  expect(Object.keys(read.verification).sort()).toEqual(Object.keys(members.verification).sort())
  const pdf = await portal.call('GET', new URL(read.letter.pdf_url).pathname.replace('/api', ''))
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(await findViolations(setup)).toEqual([])
})

test('verifications by members are included without the members’ names', async () => {
  const number = await setup.newCertificate()
  const verification = await portal.verify(team.id, team.owner, number)
  const path = `/v1/verifications?search=${encodeURIComponent(number)}`
  const { verifications } = await portal.callOk('GET', path, { token: team.live })
  expect(verifications).toMatchObject([
    {
      id: verification.body.verification.id,
      source: 'portal',
      requested_by: { user_id: team.owner.user.id },
    },
  ])
  const text = JSON.stringify(verifications)
  for (const personalDetail of [team.owner.user.firstname, team.owner.user.lastname, team.owner.user.email])
    expect(text).not.toContain(personalDetail)
})

test('the log contains the name of the key', async () => {
  await verifyWithKey(portal, team.live, await setup.newCertificate())
  const { activity } = await portal.callOk('GET', `/organisations/${team.id}/activity`, {
    token: team.owner.token,
  })
  expect(activity[0].actor).toMatch(/^API key live write \(…\w{4}\)$/)
})

test('a batch created with a key runs like one created by a member', async () => {
  const numbers = [await setup.newCertificate(), await setup.newCertificate(), 'UG/2000/NOWHERE', '??']
  const body = { certificate_numbers: numbers, name: 'March' }
  const { batch, livemode } = await portal.callOk('POST', '/v1/batches', { token: team.live, body })
  expect({ batch, livemode }).toMatchObject({ batch: { total: 4, requested_by: null }, livemode: true })
  await setup.waitUntilIdle()
  const read = await portal.callOk('GET', `/v1/batches/${batch.id}`, { token: team.liveRead })
  expect(read).toMatchObject({
    batch: { status: 'completed', counts: { verified: 2, not_found: 1, invalid: 1 } },
    livemode: true,
  })
  const { items } = await portal.callOk('GET', `/v1/batches/${batch.id}/items`, { token: team.liveRead })
  expect(items.map(({ status }: { status: string }) => status)).toEqual([
    'verified',
    'verified',
    'not_found',
    'invalid',
  ])
  expect(items[0].letter.status).toBe('valid')
  const ended = await portal.call('POST', `/v1/batches/${batch.id}/cancel`, { token: team.live })
  expect([ended.status, ended.body.code, ended.body.livemode]).toEqual([409, 'WRONG_STATE', true])
  const { batches } = await portal.callOk('GET', '/v1/batches?status=completed', { token: team.live })
  expect(batches.map(({ id }: { id: string }) => id)).toContain(batch.id)
  expect(await findViolations(setup)).toEqual([])
})

test('a key cannot read data of another organisation or of the other mode', {
  tags: ['ORGANISATION-21'],
}, async () => {
  const { body: verification } = await verifyWithKey(portal, team.live, await setup.newCertificate())
  const { body: testVerification } = await verifyWithKey(portal, team.test, 'TEST/2020/409')
  const numbers = { certificate_numbers: ['UG/2000/NOWHERE'] }
  const { batch } = await portal.callOk('POST', '/v1/batches', { token: team.live, body: numbers })
  const { batch: testBatch } = await portal.callOk('POST', '/v1/batches', { token: team.test, body: numbers })
  const inaccessible = [
    [other.live, `verifications/${verification.verification.id}`],
    [other.test, `verifications/${testVerification.verification.id}`],
    [team.test, `verifications/${verification.verification.id}`],
    [team.live, `verifications/${testVerification.verification.id}`],
    [other.live, `batches/${batch.id}`],
    [other.test, `batches/${testBatch.id}`],
    [team.test, `batches/${batch.id}`],
    [team.live, `batches/${testBatch.id}`],
  ] as const
  for (const [token, path] of inaccessible) {
    const calls = [
      ['GET', `/v1/${path}`],
      ['POST', `/v1/${path}/cancel`],
      ...(path.startsWith('batches') ? [['GET', `/v1/${path}/items`] as const] : []),
    ] as const
    for (const [method, url] of calls) {
      const { status, body } = await portal.call(method, url, { token })
      expect([url, status, body.code]).toEqual([url, 404, 'NOT_FOUND'])
    }
  }
})

test('a suspended organisation can be read with a key, but not changed', async () => {
  const paused = await createOrganisationWithKeys(portal, { balance: FEE, name: 'Paused Limited' })
  const staff = { token: portal.superAdmin.token }
  await portal.callOk('POST', `/admin/organisations/${paused.id}/suspend`, {
    ...staff,
    body: { reason: 'Check' },
  })
  for (const secret of [paused.live, paused.test]) {
    expect((await portal.call('GET', '/v1/balance', { token: secret })).status).toBe(200)
    const { status, body } = await verifyWithKey(portal, secret, 'TEST/2020/001')
    expect([status, body.code]).toEqual([403, 'ORGANISATION_SUSPENDED'])
  }
  await portal.callOk('POST', `/admin/organisations/${paused.id}/resume`, staff)
  expect((await verifyWithKey(portal, paused.test, 'TEST/2020/001')).status).toBe(201)
})

test('without vetting, live keys can only read, but test keys work', async () => {
  const unvetted = await createOrganisationWithKeys(portal, { balance: FEE, name: 'Former Limited' })
  await portal.callOk('POST', `/admin/organisations/${unvetted.id}/unvet`, { token: portal.superAdmin.token })
  const refused = await verifyWithKey(portal, unvetted.live, await setup.newCertificate())
  expect([refused.status, refused.body.code]).toEqual([403, 'ORGANISATION_NOT_VETTED'])
  expect((await portal.call('GET', '/v1/verifications', { token: unvetted.live })).status).toBe(200)
  expect((await verifyWithKey(portal, unvetted.test, 'TEST/2020/001')).status).toBe(201)
})

test('a call with an empty balance is refused, and succeeds with the same idempotency key after a credit', async () => {
  const poor = await createOrganisationWithKeys(portal, { name: 'Poor Limited' })
  const number = await setup.newCertificate()
  const headers = { 'idempotency-key': 'retry-after-credit' }
  const refused = await verifyWithKey(portal, poor.live, number, headers)
  expect([refused.status, refused.body.code, refused.body.livemode]).toEqual([
    402,
    'INSUFFICIENT_BALANCE',
    true,
  ])
  await portal.fund(poor.id, FEE)
  const paid = await verifyWithKey(portal, poor.live, number, headers)
  expect([paid.status, paid.headers.get('idempotent-replayed')]).toEqual([201, null])
  const replayed = await verifyWithKey(portal, poor.live, number, headers)
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.body).toEqual(paid.body)
})
