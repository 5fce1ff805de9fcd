import parse from 'parse-prometheus-text-format'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { Counter, Histogram } from './families.ts'

/*
 * Reads the metrics with an independent parser. It merges histograms with labels, so each histogram is read in parts, which are
 * combined here.
 */

const TOKEN = 'token-of-the-collector'

const parseMetrics = (text: string) => parse(text.replaceAll(/^(# TYPE \S+) histogram$/gm, '$1 untyped'))

const labelsWithoutBucket = ({ le: _, ...labels }: Record<string, string>) => JSON.stringify(labels)

/** Returns a histogram's series in the metrics text. */
function readHistogram(
  families: ReturnType<typeof parseMetrics>,
  name: string,
  labels: Record<string, string> = {},
) {
  const samplesOf = (part: string) =>
    families.filter(family => family.name === `${name}_${part}`).flatMap(family => family.metrics)
  const countSample = samplesOf('count').find(sample =>
    Object.entries(labels).every(([label, value]) => sample.labels?.[label] === value),
  )
  const hasSameLabels = (sample: { labels?: Record<string, string> }) =>
    labelsWithoutBucket(sample.labels ?? {}) === labelsWithoutBucket(countSample?.labels ?? {})
  const buckets = samplesOf('bucket').filter(hasSameLabels)
  return {
    labels: countSample?.labels,
    count: Number(countSample?.value),
    sum: Number(samplesOf('sum').find(hasSameLabels)?.value),
    /** The values in the order of the text; a record would sort whole numbers first. */
    valuesInOrder: buckets.map(({ value }) => Number(value)),
    buckets: Object.fromEntries(buckets.map(({ labels: { le = '' } = {}, value }) => [le, Number(value)])),
  }
}

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeEach(async () => {
  setup = await openTestSetup()
  Object.assign(setup.ports.environment, { METRICS_TOKEN: TOKEN })
  app = createApp(setup.ports)
})
afterEach(() => setup.close())

const get = (path: string, headers: Record<string, string> = {}) => app.request(`/api${path}`, { headers })

async function scrapeMetrics() {
  const response = await get('/metrics', { authorization: `Bearer ${TOKEN}` })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  const families = parseMetrics(text)
  const samples = (name: string) => families.find(family => family.name === name)?.metrics ?? []
  const value = (name: string) => Number(samples(name)[0]?.value)
  return { text, families, samples, value }
}

test('requests are counted and timed by method, route pattern and status, never by path', {
  tags: ['OPERATIONS-3'],
}, async () => {
  for (let turn = 0; turn < 3; turn++) await get('/health')
  await get('/letters/ABCD-EFGH-JKMN')
  await get('/auth/profile')
  await app.request('/api/health', { method: 'INVENTED' })
  const { families, text } = await scrapeMetrics()
  const histogramOf = (route: string) =>
    readHistogram(families, 'portal_http_request_duration_seconds', { route })
  const health = histogramOf('/health')
  expect(health).toMatchObject({ labels: { method: 'GET', status: '200' }, count: 3 })
  expect(health.sum).toBeGreaterThan(0)
  expect(health.valuesInOrder).toHaveLength(12)
  expect(health.valuesInOrder).toEqual(health.valuesInOrder.toSorted((a, b) => a - b))
  expect(health.buckets['+Inf']).toBe(3)
  expect(histogramOf('/auth/profile').labels?.status).toBe('401')
  expect(histogramOf('/letters/{code}').labels?.status).toBe('404')
  expect(text).not.toMatch(/ABCD|INVENTED/)
})

test('the lengths of queues are reported, and how long ago the scheduler last ran', async () => {
  await setup.newPayment()
  await setup.database.write(tx =>
    enqueueMail(tx, setup.ports, { to: 'a@users.test', subject: 's', text: 't', html: 'h' }),
  )
  const before = await scrapeMetrics()
  expect(before.value('portal_outbox_waiting')).toBe(1)
  expect(before.value('portal_payments_waiting')).toBe(1)
  expect(before.value('portal_payments_overdue')).toBe(0)
  expect(before.value('portal_payment_items_open')).toBe(1)
  expect(before.value('portal_activity_unsealed')).toBeGreaterThan(0)
  expect(before.samples('portal_scheduler_age_seconds')).toEqual([])

  setup.ports.time += 3_600_000
  expect((await scrapeMetrics()).value('portal_payments_overdue')).toBe(1)
  await runScheduledJobs(setup.ports, setup.database)
  const after = await scrapeMetrics()
  expect(after.value('portal_outbox_waiting')).toBe(0)
  expect(after.value('portal_activity_unsealed')).toBe(0)
  expect(after.value('portal_scheduler_age_seconds')).toBeGreaterThanOrEqual(0)
  expect(readHistogram(after.families, 'portal_scheduler_duration_seconds').count).toBe(1)
  expect(after.samples('portal_mails_total')).toMatchObject([
    { labels: { outcome: 'delivered' }, value: '1' },
  ])
  expect(after.value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  expect(after.value('portal_password_hashes_waiting')).toBe(0)
  expect(after.value('portal_database_writes_failing')).toBe(0)
})

test('every metric has a type, a help text and numeric values', {
  tags: ['OPERATIONS-3'],
}, async () => {
  await get('/health')
  const { text, families } = await scrapeMetrics()
  const documented = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \1 (counter|gauge|histogram)$/gm)]
  expect(documented.length).toBeGreaterThan(15)
  expect(documented.length).toBe(text.match(/^# TYPE /gm)?.length)
  for (const [, , help] of documented) expect(help).toMatch(/\.$/)
  for (const { metrics } of families) for (const { value } of metrics) expect(Number(value)).not.toBeNaN()
})

test('if the database cannot be read, the metrics report this, and only those that need it are missing', {
  tags: ['OPERATIONS-3'],
}, async () => {
  await setup.database.client.execute('alter table outbox rename to outbox_away')
  const { value, samples } = await scrapeMetrics()
  await setup.database.client.execute('alter table outbox_away rename to outbox')
  expect(value('portal_database_up')).toBe(0)
  expect(samples('portal_outbox_waiting')).toEqual([])
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
})

test('the metrics endpoint requires its token, and does not exist if no token is configured', {
  tags: ['OPERATIONS-3'],
}, async () => {
  for (const authorization of ['', 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`])
    expect((await get('/metrics', { authorization })).status).toBe(401)
  Object.assign(setup.ports.environment, { METRICS_TOKEN: undefined })
  app = createApp(setup.ports)
  const response = await get('/metrics', { authorization: `Bearer ${TOKEN}` })
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
})

test('labels are escaped, and a very long duration is counted in the last bucket', () => {
  const counter = new Counter('c_total', 'Some.')
  counter.add({ path: 'C:\\a "b"\nc' })
  const durations = new Histogram('h_seconds', 'Some.')
  durations.observe('', () => ({}), 100)
  durations.observe('', () => ({}), 0.005)
  const families = parseMetrics(`${[...counter.lines(), ...durations.lines()].join('\n')}\n`)
  expect(families[0]?.metrics[0]?.labels).toEqual({ path: 'C:\\a "b"\nc' })
  expect(readHistogram(families, 'h_seconds')).toMatchObject({
    count: 2,
    sum: 100.005,
    buckets: { '0.005': 1, '10': 1, '+Inf': 2 },
  })
})
