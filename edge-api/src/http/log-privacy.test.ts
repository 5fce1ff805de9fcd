import { makeUser } from '@portal/fixtures/factories'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { insertSession } from '../accounts/session-store.ts'
import { signToken } from '../accounts/tokens.ts'
import { createApp } from '../app.ts'

/* Checks that the portal writes routes and codes to its log, but never input or personal data. */

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeEach(async () => {
  setup = await openTestSetup()
  app = createApp(setup.ports)
})
afterEach(() => setup.close())

async function call(
  method: string,
  path: string,
  { token = '', body }: { token?: string; body?: object } = {},
) {
  const response = await app.fetch(
    new Request(`http://localhost:8080/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
    { peerAddress: '198.51.100.77' },
  )
  await setup.waitUntilIdle()
  return response
}

test('the log contains no email address, name, password, token, link, transaction ID or card number', {
  tags: ['QUALITY-36', 'INVARIANT-8'],
}, async () => {
  const person = makeUser()
  await call('POST', '/auth/register', { body: person })
  const verificationToken = /\/verify-email\/([\w-]+)/.exec(setup.ports.sent[0]?.text ?? '')?.[1] ?? ''
  expect(verificationToken).not.toBe('')
  const credentials = { email: person.email, password: person.password }
  await call('POST', '/auth/login', { body: credentials })
  await call('GET', `/auth/verify-email/${verificationToken}`)
  await call('POST', '/auth/login', { body: { ...credentials, password: 'Wrong-secret-1' } })
  const session: unknown = await (await call('POST', '/auth/login', { body: credentials })).json()
  const token = String(Reflect.get(Object(session), 'token'))
  expect(token).toMatch(/\./)
  await call('GET', '/auth/profile', { token })
  await call('GET', '/auth/profile', { token: `${token}x` })
  const { reference, transactionId, number } = await setup.newPayment()
  await call('POST', '/verification/check-certificate', { token, body: { certificate_number: number } })
  setup.gateway.setOutcome(reference, 'succeeded')
  await call('GET', `/verification/public/payment-status/${transactionId}`)
  expect(setup.ports.lines.find(line => line.event === 'payment')).toMatchObject({ to: 'paid' })
  await call('GET', `/payments/return?request_id=${reference}&card=5060990000000000019`)
  await call('POST', '/payments/webhooks/sandbox', {
    body: { request_id: reference, pan: '5060990000000000019' },
  })
  await call('GET', `/no-such-route/${person.email}?password=${person.password}`)

  // Causes an internal error. The database driver's message may contain data from a row.
  await setup.database.client.execute('alter table sessions rename to sessions_renamed')
  expect((await call('GET', '/auth/profile', { token })).status).toBe(500)
  await setup.database.client.execute('alter table sessions_renamed rename to sessions')

  const requests = setup.ports.lines.filter(line => line.event === 'request')
  expect(requests.length).toBeGreaterThanOrEqual(13)
  expect(setup.ports.lines.some(line => line.event === 'fault')).toBe(true)
  const log = JSON.stringify(setup.ports.lines)
  for (const secret of [
    person.email,
    person.firstname,
    person.lastname,
    person.password,
    'Wrong-secret-1',
    person.phone,
    person.address,
    verificationToken,
    token,
    token.split('.')[1] ?? token,
    transactionId,
    reference,
    number,
    '5060990000000000019',
    '198.51.100.77',
  ]) {
    expect(log).not.toContain(secret)
  }
})

test('a rejected request is logged with its error code and its account', {
  tags: ['DATA-34'],
}, async () => {
  const user = await setup.newUser()
  const issuedAt = setup.ports.time
  const session = { userId: user.id, sessionId: crypto.randomUUID(), issuedAt, expiresAt: issuedAt + 1e6 }
  const { sessionId: id, userId, expiresAt } = session
  await setup.database.write(tx => insertSession(tx, { id, userId, createdAt: issuedAt, expiresAt }))
  const token = await signToken({ ...session, role: 'user' }, setup.ports.environment.JWT_SECRETS)
  const callAndFindLogLine = async (path: string, options: Parameters<typeof call>[2]) => {
    await call('GET', path, options)
    return setup.ports.lines.findLast(line => line.event === 'request')
  }
  expect(await callAndFindLogLine('/admin/users', { token })).toMatchObject({
    route: '/admin/users',
    status: 403,
    code: 'FORBIDDEN',
    account: user.id,
  })
  expect(await callAndFindLogLine('/verification/history?page=0', { token })).toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    account: user.id,
  })
  expect(await callAndFindLogLine('/admin/users', { token: 'a.b.c' })).toMatchObject({
    status: 401,
    code: 'UNAUTHENTICATED',
    account: undefined,
  })
  const acceptedLine = await callAndFindLogLine('/auth/profile', { token })
  expect(acceptedLine).toMatchObject({ status: 200 })
  expect(acceptedLine).not.toHaveProperty('account')
})
