import type { Route } from '@portal/contract/route'
import { routes } from '@portal/contract/routes'
import { makeUser } from '@portal/fixtures/factories'
import { personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { buildPath, openWholeProduct, runJourneys } from '../../test/whole-product.ts'
import { createApp } from '../app.ts'

type Head = { status: number; type: string | null; file: string | null }

let setup: TestSetup
let send: (method: 'GET' | 'HEAD', path: string, token?: string, accept?: string) => Promise<Head>
/** Every GET call of the contract that succeeds with the existing data and tokens. */
let calls: { path: string; token: string | undefined; accept: string }[]
let logged: () => string[]

/** Returns the rows of each table, except for rate-limit counters. */
async function readAllRows(): Promise<Record<string, string>> {
  const { client } = setup.database
  const { rows } = await client.execute(
    "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'",
  )
  const found: Record<string, string> = {}
  for (const { name } of rows) {
    if (name === 'rate_limits') continue
    found[String(name)] = JSON.stringify((await client.execute(`select * from "${name}"`)).rows)
  }
  return found
}

function findLinkToken(page: string, email: string): string {
  const mail = setup.ports.sent.findLast(sent => sent.to === email && sent.text.includes(`/${page}/`))
  return new RegExp(`/${page}/([\\w-]+)`).exec(mail?.text ?? '')?.[1] ?? ''
}

beforeAll(async () => {
  setup = await openTestSetup()
  const product = await openWholeProduct(setup, setup.database)
  const knownIds = await runJourneys(product)
  const { call, advance } = product
  const person = makeUser()
  await call('POST', '/auth/register', undefined, person)
  await call('POST', '/auth/forgot-password', undefined, { email: personas.user.email })
  const { body: pending } = await call('POST', '/verification/process-payment', knownIds.tokens.user, {
    certificate_number: await setup.newCertificate(),
  })
  await advance(0)
  setup.gateway.setOutcome(pending.payment_reference, 'succeeded')

  const app = createApp(product.ports)
  send = async (method, path, token, accept = 'application/json') => {
    const headers = { accept, ...(token && { authorization: `Bearer ${token}` }) }
    const { status, body, headers: sent } = await app.request(`/api${path}`, { method, headers })
    await body?.cancel()
    await setup.waitUntilIdle()
    return { status, type: sent.get('content-type'), file: sent.get('content-disposition') }
  }
  logged = () => setup.ports.lines.map(({ method, route }) => `${method} ${route}`)

  const links: Record<string, string> = {
    '/auth/verify-email/{token}': findLinkToken('verify-email', person.email),
    '/auth/reset-password/{token}': findLinkToken('reset-password', personas.user.email),
  }
  const tokens = {
    public: undefined,
    key: undefined,
    ...knownIds.tokens,
    super_admin: knownIds.tokens.superAdmin,
  }
  const idsOfPending = { ...knownIds, transaction: String(pending.transaction_id) }
  calls = Object.values(routes)
    .flatMap((table): Route[] => Object.values(table))
    .filter(({ method }) => method === 'GET')
    .flatMap(route => {
      const pathWith = (ids: typeof knownIds) =>
        route.path.includes('{token}')
          ? route.path.replace('{token}', links[route.path] ?? '')
          : buildPath(route, ids)
      const paths = new Set([
        pathWith(knownIds),
        ...(route.path.includes('status') ? [pathWith(idsOfPending)] : []),
      ])
      const accepts = ['application/json', ...(route.csv ? ['text/csv'] : [])]
      const token = tokens[route.access]
      return [...paths].flatMap(path => accepts.map(accept => ({ path, token, accept })))
    })
  calls.push({
    path: `/payments/return?request_id=${pending.payment_reference}`,
    token: undefined,
    accept: '*/*',
  })
})
afterAll(() => setup.close())

test('HEAD changes nothing, and has the status and headers of GET', async () => {
  const before = await readAllRows()
  const requeriesBefore = setup.gateway.requeries
  const heads: Head[] = []
  for (const { path, token, accept } of calls) heads.push(await send('HEAD', path, token, accept))
  expect(setup.gateway.requeries).toBe(requeriesBefore)
  const after = await readAllRows()
  expect(Object.keys(after).filter(table => after[table] !== before[table])).toEqual([])

  const gets: Head[] = []
  for (const { path, token, accept } of calls) gets.push(await send('GET', path, token, accept))
  const describeResponses = (responses: Head[]) =>
    responses.map((response, index) => `${calls[index]?.path} ${JSON.stringify(response)}`)
  expect(describeResponses(heads)).toEqual(describeResponses(gets))
  // GET then makes the changes that HEAD did not: to the link, the payment, the letter and the log.
  expect(setup.gateway.requeries).toBeGreaterThan(requeriesBefore)
  const now = await readAllRows()
  const changed = Object.keys(now).filter(table => now[table] !== before[table])
  expect(changed).toEqual(expect.arrayContaining(['users', 'payments', 'activity_log', 'letters']))
})

test('HEAD reports used and unknown links as invalid', async () => {
  const used = calls.find(({ path }) => path.startsWith('/auth/verify-email/'))?.path ?? ''
  expect((await send('HEAD', used)).status).toBe(400)
  expect((await send('HEAD', '/auth/verify-email/none')).status).toBe(400)
})

test('HEAD appears in the log as HEAD', () => {
  expect(logged()).toContain('HEAD /auth/verify-email/{token}')
})
