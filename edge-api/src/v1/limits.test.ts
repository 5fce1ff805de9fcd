import { newSecret } from '@portal/rules/api-key'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOrganisationWithKeys, type OrganisationWithKeys } from '../../test/key-setup.ts'
import { openTestPortal, type TestPortal } from '../../test/organisation-portal.ts'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'

const REQUESTS_PER_MINUTE = 120
const MAX_INVALID_KEYS = 60

let setup: TestSetup
let portal: TestPortal
let team: OrganisationWithKeys
beforeEach(async () => {
  setup = await openTestSetup()
  portal = await openTestPortal(setup)
  team = await createOrganisationWithKeys(portal)
  Object.assign(setup.ports.environment, { RATE_LIMIT_SCALE: 1 })
})
afterEach(() => setup.close())

/** Returns another app on the same database, as another process would be. */
const newProcess = () => createApp(setup.ports)

async function read(app: ReturnType<typeof newProcess>, secret: string, peerAddress = '192.0.2.9') {
  const request = new Request('http://localhost:8080/api/v1/balance', {
    headers: { authorization: `Bearer ${secret}` },
  })
  return await app.fetch(request, { peerAddress })
}

const countStatuses = (responses: readonly Response[]) =>
  Object.fromEntries(
    [200, 401, 429].map(status => [status, responses.filter(response => response.status === status).length]),
  )

test('a key can be used for 120 calls a minute, over all processes together', {
  tags: ['ORGANISATION-34'],
}, async () => {
  const apps = [newProcess(), newProcess(), newProcess()]
  const calls = Array.from({ length: REQUESTS_PER_MINUTE + 30 }, (_, index) =>
    read(apps[index % 3] ?? newProcess(), team.live),
  )
  const responses = await Promise.all(calls)
  expect(countStatuses(responses)).toEqual({ 200: REQUESTS_PER_MINUTE, 401: 0, 429: 30 })
  const refused = responses.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused?.json()).toMatchObject({ code: 'RATE_LIMITED', livemode: true })
  // Each key has its own allowance.
  expect((await read(newProcess(), team.test)).status).toBe(200)
  setup.ports.time += 61_000
  expect((await read(newProcess(), team.live)).status).toBe(200)
})

test('a call far below the limit is counted, but does not wait for other transactions', async () => {
  const app = newProcess()
  for (let before = 0; before < 2; before++) expect((await read(app, team.live)).status).toBe(200)
  const release = Promise.withResolvers<void>()
  const writing = setup.database.write(() => release.promise)
  expect((await read(app, team.live)).status).toBe(200)
  release.resolve()
  await writing
  const responses = await Promise.all(Array.from({ length: REQUESTS_PER_MINUTE }, () => read(app, team.live)))
  expect(countStatuses(responses)).toEqual({ 200: REQUESTS_PER_MINUTE - 3, 401: 0, 429: 3 })
})

test('one IP address can try 60 invalid keys a minute; valid keys from it still work', {
  tags: ['ORGANISATION-34'],
}, async () => {
  const [one, two] = [newProcess(), newProcess()]
  const invalid = Array.from({ length: MAX_INVALID_KEYS + 10 }, (_, index) =>
    read(index % 2 ? one : two, index % 3 ? newSecret('live') : 'cv_live_mistyped'),
  )
  expect(countStatuses(await Promise.all(invalid))).toEqual({ 200: 0, 401: MAX_INVALID_KEYS, 429: 10 })
  expect((await read(one, team.live)).status).toBe(200)
  expect((await read(one, newSecret('test'), '192.0.2.10')).status).toBe(401)
})

test('the scheme of the Authorization header is accepted in any letter case', async () => {
  const statusFor = (authorization: string) =>
    portal.call('GET', '/v1/balance', { headers: { authorization } }).then(({ status }) => status)
  expect(await statusFor(`bearer ${team.test}`)).toBe(200)
  expect(await statusFor(`Basic ${team.test}`)).toBe(401)
  expect(await statusFor(team.test)).toBe(401)
})
