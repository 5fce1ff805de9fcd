import type { FrontEndReport } from '@portal/contract/front-ends'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'
import { prune } from '../jobs/retention-store.ts'
import { limits } from '../limits/rules.ts'
import { countReport, MAX_KINDS, readReports } from './store.ts'

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const failure: FrontEndReport = {
  remote: 'mfe-admin',
  release: '3f2a9c',
  stage: 'rendering',
  error: 'TypeError',
  frames: ['/r/mfe-admin/3f2a9c/js/12.ab.js:1:204', '/js/shell.cd.js:1:99'],
}

async function sendReport(report: unknown, peerAddress = '192.0.2.9') {
  const request = new Request('http://localhost:8080/api/front-ends/reports', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(report),
  })
  const response = await createApp(setup.ports).fetch(request, { peerAddress })
  return response.status
}

const listFailureLines = () => setup.ports.lines.filter(line => line.event === 'front_end_failed')
const readReportsSince = (day: string) => readReports(setup.database.read, { since: day, limit: 10 })

test('a failure is logged with its release and stack frames, and counted by day', {
  tags: ['SHIPPING-12'],
}, async () => {
  expect(await sendReport(failure)).toBe(200)
  expect(await sendReport({ ...failure, stage: 'event' })).toBe(200)
  expect(await sendReport({ ...failure, release: undefined, remote: 'mfe-user' })).toBe(200)
  expect(listFailureLines()[0]).toEqual({
    level: 'warn',
    event: 'front_end_failed',
    request_id: expect.any(String),
    ...failure,
  })
  expect(await readReportsSince('2026-01-15')).toEqual([
    { remote: 'mfe-admin', release: '3f2a9c', reports: 2 },
    { remote: 'mfe-user', release: '', reports: 1 },
  ])
  expect(await readReportsSince('2026-01-16')).toEqual([])
})

test('a report with text about a person or a page is refused, and is not logged', {
  tags: ['SHIPPING-12'],
}, async () => {
  for (const changes of [
    { error: 'Ada Obi has no grade' },
    { frames: ['ada@users.test'] },
    { frames: ['https://elsewhere.test/a.js:1:2'] },
    { frames: ['/verify-email/secret token'] },
    { release: 'a b' },
    { remote: 'Ada' },
    { stage: 'reading' },
  ])
    expect(await sendReport({ ...failure, ...changes }), JSON.stringify(changes)).toBe(400)
  // Fields that are not in the contract are removed.
  expect(await sendReport({ ...failure, message: 'Ada Obi' })).toBe(200)
  expect(JSON.stringify(listFailureLines())).not.toMatch(/Ada/)
  expect(listFailureLines()).toHaveLength(1)
})

test('accepts a limited number of reports per minute from one address, without affecting other addresses', {
  tags: ['SHIPPING-12'],
}, async () => {
  const { max } = limits.front_end_reports
  const statuses = []
  for (let number = 0; number <= max; number++) statuses.push(await sendReport(failure))
  expect(statuses.slice(0, max)).toEqual(Array(max).fill(200))
  expect(statuses.at(-1)).toBe(429)
  expect(await sendReport(failure, '192.0.2.10')).toBe(200)
})

test('counts a limited number of releases per day, and the others as one, so that invented names do not fill the table', async () => {
  await setup.database.write(async tx => {
    for (let number = 0; number < MAX_KINDS + 20; number++)
      await countReport(tx, { day: '2026-01-15', remote: 'mfe-user', release: `r${number}`, stage: 'event' })
    await countReport(tx, { day: '2026-01-15', remote: 'mfe-user', release: 'r0', stage: 'event' })
  })
  expect((await readReportsSince('2026-01-15')).slice(0, 2)).toEqual([
    { remote: '', release: '', reports: 20 },
    { remote: 'mfe-user', release: 'r0', reports: 2 },
  ])
})

test('reports are deleted after three months', async () => {
  await sendReport(failure)
  await prune(setup.database, setup.ports.time + 80 * 86_400_000)
  expect(await readReportsSince('2026-01-01')).toHaveLength(1)
  await prune(setup.database, setup.ports.time + 91 * 86_400_000)
  expect(await readReportsSince('2026-01-01')).toEqual([])
})
