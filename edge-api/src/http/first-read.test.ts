import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client/web'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { isSqldAvailable, type RunningSqld, startSqld } from '../../test/servers/sqld-server.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import type { Principal } from '../principal.ts'

/* Tests that the session and the first reads of a request share one request to a real libSQL server. */

let folder: string
let server: RunningSqld
let setup: TestSetup
let app: ReturnType<typeof createApp>
let requests: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-first-read-'))
  if (isSqldAvailable) server = await startSqld(folder)
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  if (!isSqldAvailable) return
  const countingFetch: typeof fetch = (input, init) => {
    requests++
    return fetch(input, init)
  }
  const client = createClient({ url: server.url, fetch: countingFetch })
  await migrate(client)
  setup = await openTestSetup(undefined, async () => ({
    database: openDatabase(client, { serialiseWrites: false }),
    remove: async () => client.close(),
  }))
  app = createApp(setup.ports)
})
afterEach(() => setup?.close())

async function signIn(user: Principal, endsInMs = 3_600_000) {
  const session = {
    id: crypto.randomUUID(),
    userId: user.id,
    createdAt: setup.ports.time,
    expiresAt: setup.ports.time + endsInMs,
  }
  await setup.database.write(tx => insertSession(tx, session))
  const token = await signToken(
    {
      userId: user.id,
      sessionId: session.id,
      role: user.role,
      issuedAt: session.createdAt,
      // The token is valid for longer than its session, as after a logout.
      expiresAt: setup.ports.time + 3_600_000,
    },
    setup.ports.environment.JWT_SECRETS,
  )
  return `Bearer ${token}`
}

/** Calls the API, and counts the requests to the database until the background work of the call has ended. */
async function call(authorization: string, method: string, path: string, body?: object) {
  requests = 0
  const response = await app.request(`/api/verification${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const reply = (await response.json()) as Record<string, unknown>
  await setup.waitUntilIdle()
  return { status: response.status, requests, reply }
}

describe.skipIf(!isSqldAvailable)('an API call, with a database server,', () => {
  test.each([
    ['a signed form', true, 3],
    ['a call to the gateway', false, 4],
  ])(
    'needs few requests for a verification whose payment starts with %s',
    async (_, isSignedForm, requestsToStart) => {
      Object.assign(setup.gateway, { isSignedForm })
      const authorization = await signIn(await setup.newUser())
      const [first, number] = [await setup.newCertificate(), await setup.newCertificate()]
      // The first call of a database client asks for the version of the protocol, so it is not measured.
      await call(authorization, 'POST', '/check-certificate', { certificate_number: first })
      const body = { certificate_number: number }
      expect(await call(authorization, 'POST', '/check-certificate', body)).toMatchObject({
        status: 200,
        requests: 2,
      })
      const started = await call(authorization, 'POST', '/process-payment', body)
      expect(started).toMatchObject({ status: 200, requests: requestsToStart })
      setup.gateway.setOutcome(String(started.reply.payment_reference), 'succeeded')
      const statusPath = `/check-verification-status/${started.reply.transaction_id}`
      // Four requests for the call, and one for its mail.
      expect(await call(authorization, 'GET', statusPath)).toMatchObject({
        status: 200,
        requests: 5,
        reply: { status: 'paid' },
      })
      setup.ports.time += 60_000
      expect(await call(authorization, 'GET', statusPath)).toMatchObject({ status: 200, requests: 1 })
    },
  )

  test('is refused before anything else if its session has ended, and the data that was read is ignored', async () => {
    const user = await setup.newUser()
    const authorization = await signIn(user, 1000)
    const number = await setup.newCertificate()
    setup.ports.time += 2000
    const refused = { status: 401, reply: { code: 'UNAUTHENTICATED' } }
    expect(
      await call(authorization, 'POST', '/process-payment', { certificate_number: number }),
    ).toMatchObject(refused)
    expect(await call(authorization, 'POST', '/process-payment', { certificate_number: 7 })).toMatchObject(
      refused,
    )
    expect(await call('Bearer a.b.c', 'POST', '/process-payment', {})).toMatchObject({
      ...refused,
      requests: 0,
    })
    const { payments } = await setup.readRows()
    expect(payments.filter(({ userId }) => userId === user.id)).toEqual([])
    const valid = await signIn(user)
    expect((await call(valid, 'POST', '/process-payment', { certificate_number: 7 })).status).toBe(400)
  })

  test('shows the payment of another account to staff only', async () => {
    const { transactionId } = await setup.newPayment()
    const statusPath = `/check-verification-status/${transactionId}`
    const stranger = await signIn(await setup.newUser())
    expect(await call(stranger, 'GET', statusPath)).toMatchObject({
      status: 404,
      reply: { code: 'TRANSACTION_NOT_FOUND' },
    })
    const staff = await signIn(await setup.newUser('admin'))
    expect(await call(staff, 'GET', statusPath)).toMatchObject({ status: 200, reply: { status: 'pending' } })
  })
})
