import { getResponse, HttpResponse, http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createInitialState, giveRowsTo } from './amounts.ts'
import {
  conditionHandlers,
  defaultConditions,
  readConditions,
  routeNameOf,
  writeConditions,
} from './conditions.ts'

test.each([
  ['', defaultConditions],
  ['slow,empty', { ...defaultConditions, speed: 'slow', amount: 'empty' }],
  [
    'fail:verification.history',
    { ...defaultConditions, failures: { 'verification.history': 'DATABASE_UNAVAILABLE' } },
  ],
  [
    'huge,fail:all:FORBIDDEN,as:admin',
    { ...defaultConditions, amount: 'huge', failures: { all: 'FORBIDDEN' }, persona: 'admin' },
  ],
  [
    'fast,once:verification.history,wait:all:2000',
    {
      ...defaultConditions,
      speed: 'fast',
      once: { 'verification.history': 'DATABASE_UNAVAILABLE' },
      delays: { all: 2000 },
    },
  ],
  ['never,as:nobody', { ...defaultConditions, speed: 'never', persona: 'nobody' }],
])('parses %j and formats it in the same way', (text, conditions) => {
  expect(readConditions(text)).toEqual({ conditions, unknown: [] })
  expect(writeConditions(readConditions(text).conditions)).toBe(text)
})

test('reports unknown words and ignores them', () => {
  const words = [
    'quick',
    'wait:all:soon',
    'wait:all:99999999',
    'once:verification.nowhere',
    'fail:verification.nowhere',
    'fail:all:NO_SUCH_CODE',
    'as:disabled',
    'as:king',
  ]
  expect(readConditions(words.join(','))).toEqual({ conditions: defaultConditions, unknown: words })
})

test('fails one call once and delays another', async () => {
  const words = 'fast,once:verification.history:GATEWAY_UNAVAILABLE,wait:verification.statistics:40'
  const handlers = [
    ...conditionHandlers(readConditions(words).conditions),
    http.all('*/api/*', () => HttpResponse.json({ from: 'the API' })),
  ]
  const statusOf = async (path: string) =>
    (await getResponse(handlers, new Request(`http://mocks.test/api${path}`)))?.status
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let delayedStatus: number | undefined
  const delayed = statusOf('/verification/statistics').then(status => {
    delayedStatus = status
  })
  await vi.advanceTimersByTimeAsync(39)
  expect(delayedStatus).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await delayed
  expect(delayedStatus).toBe(200)
  vi.useRealTimers()
  expect(await statusOf('/verification/history')).toBe(503)
  expect(await statusOf('/verification/history')).toBe(200)
})

test('calls onUsed once, when a one-time failure has happened', async () => {
  const used: string[] = []
  const { conditions } = readConditions('fast,once:verification.history')
  const handlers = conditionHandlers(conditions, { onUsed: name => used.push(name) })
  const get = () => getResponse(handlers, new Request('http://mocks.test/api/verification/history'))
  expect((await get())?.status).toBe(503)
  await get()
  expect(used).toEqual(['verification.history'])
})

test('fails only the chosen call, or every call for `all`', async () => {
  const { conditions } = readConditions('fast,fail:verification.history:GATEWAY_UNAVAILABLE')
  const handlers = [
    ...conditionHandlers(conditions),
    http.all('*/api/*', () => HttpResponse.json({ from: 'the API' })),
  ]
  const get = (path: string) => getResponse(handlers, new Request(`http://mocks.test/api${path}`))
  expect((await get('/verification/history'))?.status).toBe(503)
  expect(await (await get('/verification/statistics'))?.json()).toEqual({ from: 'the API' })
  const all = conditionHandlers(readConditions('fast,fail:all:FORBIDDEN').conditions)
  expect((await getResponse(all, new Request('http://mocks.test/api/health')))?.status).toBe(403)
})

test.each([
  ['GET', '/verification/history?page=2', 'verification.history'],
  ['PUT', '/admin/settings/verification-fee', 'adminSettings.updateFee'],
  ['GET', '/letters/ABCDEFGHJKMN.pdf', 'letterFiles.pdf'],
  ['GET', '/letters/ABCDEFGHJKMN', 'letters.check'],
  ['GET', '/no/such/route', undefined],
])('recognises %s %s as a call of %s', (method, path, name) => {
  expect(routeNameOf({ method, url: `http://mocks.test/api${path}` })).toBe(name)
})

test('creates a state with only the accounts for `empty`, and one with many rows and long names for `huge`', () => {
  const [some, empty, huge] = [
    createInitialState('some'),
    createInitialState('empty'),
    createInitialState('huge'),
  ]
  expect(empty.users).toHaveLength(some.users.length)
  expect([empty.certificates, empty.payments, empty.notifications, empty.refunds].flat()).toEqual([])
  expect(huge.certificates.length).toBeGreaterThan(1000)
  expect(huge.payments.length).toBeGreaterThan(1000)
  expect(huge.users.length).toBeGreaterThan(some.users.length)
  expect(Math.max(...huge.certificates.map(certificate => certificate.student_name.length))).toBeGreaterThan(
    60,
  )
  // Browsers store about five million characters for each origin.
  expect(JSON.stringify(huge).length).toBeLessThan(3_500_000)
})

test('gives many rows to the signed-in account and to its organisation', () => {
  const huge = createInitialState('huge')
  const otherUser = huge.users.find(({ email }) => email === 'other@demo.test')
  if (!otherUser) throw new Error('no such persona')
  const countPaymentsOf = (id: string) => huge.payments.filter(payment => payment.user_id === id).length
  expect(countPaymentsOf(otherUser.id)).toBeLessThan(100)
  giveRowsTo(huge, otherUser)
  expect(countPaymentsOf(otherUser.id)).toBeGreaterThan(1000)
  const counts = huge.organisations?.map(({ verifications }) => verifications.length) ?? []
  expect(Math.max(...counts)).toBeGreaterThan(400)
})
