import { spawn } from 'node:child_process'
import path from 'node:path'
import { makeUser } from '@portal/fixtures/factories'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMockServer } from './lib/mock-server.mjs'
import { freePort } from './lib/processes.mjs'
import { root } from './lib/setup.mjs'

/* Tests `npm run mock`: the mocks over HTTP, as a front end on another port uses them. */

let server: Awaited<ReturnType<typeof startMockServer>>
beforeAll(async () => {
  server = await startMockServer(0)
})
afterAll(() => server.stop())

const ORIGIN = 'http://localhost:4302'

async function send(method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      origin: ORIGIN,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const read: Record<string, unknown> = await response.json()
  return { status: response.status, headers: response.headers, body: read }
}

async function createAccount() {
  const person = makeUser()
  expect((await send('POST', '/api/auth/register', person)).status).toBe(201)
  const { mails } = (await send('GET', '/mock/mails')).body as { mails: { to: string; link: string }[] }
  expect(mails[0]?.to).toBe(person.email)
  expect((await send('GET', `/api/auth${mails[0]?.link}`)).status).toBe(200)
  const { email, password } = person
  return String((await send('POST', '/api/auth/login', { email, password })).body.token)
}

test('slow and failing responses can be set over HTTP', async () => {
  const conditions = 'slow,once:verification.settings:GATEWAY_UNAVAILABLE'
  expect((await send('PUT', '/mock/conditions', { conditions: `fast,${conditions.slice(5)}` })).status).toBe(
    200,
  )
  expect((await send('GET', '/api/verification/settings')).status).toBe(503)
  expect((await send('GET', '/api/verification/settings')).status).toBe(200)
  expect((await send('PUT', '/mock/conditions', { conditions })).body).toEqual({ conditions })
  expect((await send('GET', '/mock/conditions')).body).toEqual({ conditions })
  for (const invalid of ['quick', 'as:admin', 'huge']) {
    const response = await send('PUT', '/mock/conditions', { conditions: invalid })
    expect(response).toMatchObject({ status: 400, body: { error: `unknown words: ${invalid}` } })
  }
  expect((await send('PUT', '/mock/conditions', { conditions: '' })).body).toEqual({ conditions: '' })
  await expect(startMockServer(0, 'quick')).rejects.toThrow('MOCKS: unknown words: quick')
})

test('a client can register, log in, check a certificate, pay and get the letter', async () => {
  const token = await createAccount()
  const number = { certificate_number: 'UG/2019/00123' }
  const check = await send('POST', '/api/verification/check-certificate', number, token)
  expect(check).toMatchObject({ status: 200, body: { status: 'payment_required' } })
  const { body: started } = await send('POST', '/api/verification/process-payment', number, token)
  const page = await fetch(String(started.payment_url))
  expect(String(started.payment_url).startsWith(`${server.url}/mock-gateway.html?`)).toBe(true)
  expect(await page.text()).toContain('data-settle-at="/mock/settle"')

  const status = `/api/verification/check-verification-status/${started.transaction_id}`
  expect((await send('GET', status, undefined, token)).body).toMatchObject({ status: 'pending' })
  const { transaction_id } = started
  expect(await send('POST', '/mock/settle', { transaction_id, outcome: 'pay' })).toMatchObject({
    status: 200,
  })
  const { body: paid } = await send('GET', status, undefined, token)
  expect(paid).toMatchObject({ status: 'paid', verification_status: 'success' })
  const { pdf_url } = paid.letter as { pdf_url: string }
  expect(pdf_url.startsWith(`${server.url}/api/letters/`)).toBe(true)
  expect((await fetch(pdf_url)).headers.get('content-type')).toBe('application/pdf')
})

test('allows only pages of this machine to read responses', async () => {
  const { headers } = await send('GET', '/api/verification/settings')
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
  const preflight = await fetch(`${server.url}/api/auth/login`, {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  const foreignResponse = await fetch(`${server.url}/api/health`, {
    headers: { origin: 'https://localhost.users.test' },
  })
  expect(foreignResponse.headers.has('access-control-allow-origin')).toBe(false)
})

test('rejects unknown routes', async () => {
  expect(await send('POST', '/mock/settle', { transaction_id: 'CVF', outcome: 'pay' })).toMatchObject({
    status: 404,
  })
  expect(await send('POST', '/mock/settle', { outcome: 'win' })).toMatchObject({ status: 400 })
  expect((await send('GET', '/api/no/such/route')).body).toMatchObject({ code: 'NOT_FOUND' })
  expect((await fetch(`${server.url}/package.json`)).status).toBe(404)
})

test('ends when the command that started it is killed', async () => {
  const port = await freePort()
  const command = spawn(process.execPath, [path.join(root, 'scripts/mock.mjs')], {
    env: { ...process.env, MOCK_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>(ready => {
    command.stdout.on('data', chunk => String(chunk).includes('ready ') && ready())
  })
  const isResponding = () =>
    fetch(`http://localhost:${port}/mock/mails`).then(
      () => true,
      () => false,
    )
  expect(await isResponding()).toBe(true)
  command.kill('SIGKILL')
  await expect.poll(isResponding).toBe(false)
})
