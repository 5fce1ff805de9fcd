import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakeSandbox } from '../../test/gateways/fake-sandbox.ts'
import type { FakeGateway } from '../../test/gateways/fake-server.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { gatewayFetch } from '../adapters/gateway-fetch.ts'
import { sandboxGateway } from '../adapters/gateway-sandbox.ts'
import { jsonLog } from '../adapters/log-json.ts'
import { createApp } from '../app.ts'

/*
 * Checks that one ID is passed from the browser to the database and the gateway and back, so that the ID that a user
 * quotes is in every log.
 */

const CLIENT_REQUEST_ID = '5f0c2a52-6c1f-4f6e-9d3c-0a1b2c3d4e5f'

let setup: TestSetup
let gateway: FakeGateway
let app: ReturnType<typeof createApp>
let lines: Record<string, unknown>[]
beforeEach(async () => {
  setup = await openTestSetup()
  gateway = await startFakeSandbox(Date.now)
  lines = []
  const { ports } = setup
  ports.log = jsonLog('info', line => lines.push(JSON.parse(line)))
  const gatewayCalls = gatewayFetch(fetch, ports)
  Object.assign(ports, {
    clock: { now: () => Date.now() },
    gateways: {
      sandbox: sandboxGateway({
        url: gateway.server.url,
        webhookSecret: 'secret-of-callbacks',
        fetch: gatewayCalls,
      }),
    },
  })
  app = createApp(ports)
})
afterEach(async () => {
  await setup.close()
  await gateway.server.close()
})

async function signIn(): Promise<string> {
  const user = await setup.newUser()
  const issuedAt = Date.now()
  const session = { userId: user.id, sessionId: crypto.randomUUID(), role: 'user' as const, issuedAt }
  const expiresAt = issuedAt + 1e6
  await setup.database.write(tx =>
    insertSession(tx, { id: session.sessionId, userId: user.id, createdAt: issuedAt, expiresAt }),
  )
  return signToken({ ...session, expiresAt }, setup.ports.environment.JWT_SECRETS)
}

const call = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  app.request(`/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })

const eventsOf = (entries: readonly Record<string, unknown>[], id: string) =>
  entries.filter(line => line.request_id === id).map(line => line.event)

test('the ID of a request is in its response, its log lines, the gateway call and the activity log', {
  tags: ['OPERATIONS-2'],
}, async () => {
  const authorization = `Bearer ${await signIn()}`
  const certificate_number = await setup.newCertificate()
  const headers = { authorization, 'x-request-id': CLIENT_REQUEST_ID.toUpperCase() }
  const response = await call('POST', '/verification/process-payment', headers, { certificate_number })
  await setup.waitUntilIdle()
  expect(response.headers.get('x-request-id')).toBe(CLIENT_REQUEST_ID)
  expect(eventsOf(lines, CLIENT_REQUEST_ID)).toEqual(expect.arrayContaining(['gateway_call', 'request']))
  expect(lines.every(line => typeof line.request_id === 'string')).toBe(true)
  expect(gateway.server.requests.map(({ headers }) => headers['x-request-id'])).toEqual([CLIENT_REQUEST_ID])
  const { rows } = await setup.database.client.execute('select request_id from activity_log')
  expect(rows.map(row => row.request_id)).toContain(CLIENT_REQUEST_ID)
})

test('an error contains the ID, and an invalid ID is replaced', { tags: ['OPERATIONS-2'] }, async () => {
  const refused = await call('GET', '/auth/profile', { 'x-request-id': CLIENT_REQUEST_ID })
  expect(await refused.json()).toMatchObject({ code: 'UNAUTHENTICATED', request_id: CLIENT_REQUEST_ID })
  for (const bad of [
    '',
    'x',
    `${CLIENT_REQUEST_ID}0`,
    `${CLIENT_REQUEST_ID} level=error`,
    '{"event":"forged"}',
  ]) {
    const response = await call('GET', '/health', { 'x-request-id': bad })
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
    expect(response.headers.get('x-request-id')).not.toBe(CLIENT_REQUEST_ID)
  }
})

test('concurrent requests keep their IDs separate', { tags: ['OPERATIONS-2'] }, async () => {
  const ids = Array.from({ length: 20 }, () => crypto.randomUUID())
  const responses = await Promise.all(
    ids.map(id => call('GET', '/verification/settings', { 'x-request-id': id })),
  )
  expect(responses.map(response => response.headers.get('x-request-id'))).toEqual(ids)
  expect(
    lines
      .filter(line => line.event === 'request')
      .map(line => line.request_id)
      .toSorted(),
  ).toEqual(ids.toSorted())
})

test('if the database fails, the response and the log line with the reason still have the ID', async () => {
  setup.ports.openDatabase = () => {
    throw new Error('no database')
  }
  const response = await call('GET', '/verification/settings', { 'x-request-id': CLIENT_REQUEST_ID })
  expect(await response.json()).toMatchObject({ code: 'INTERNAL_ERROR', request_id: CLIENT_REQUEST_ID })
  expect(eventsOf(lines, CLIENT_REQUEST_ID)).toContain('fault')
})
