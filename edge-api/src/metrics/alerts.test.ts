import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench } from '../../test/payment-bench.ts'
import { gaugesNow } from '../health/gauges.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'

/* Alert rules must use metrics that exist: an unknown name would never raise an alert. */

const root = path.join(import.meta.dirname, '../../..')
const rules = readFileSync(path.join(root, 'deploy/prometheus/portal.rules.yml'), 'utf8')
const runbook = readFileSync(path.join(root, 'docs/runbook.md'), 'utf8')

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

test('every alert uses an existing metric', async () => {
  const { ports, database } = bench
  await runScheduledJobs(ports, database)
  // These two need a disk and a backup, which the test bench does not have.
  const gauges = await gaugesNow({ ...ports, disk: async () => ({ free: 1, total: 2 }) }, database)
  const text = `${ports.metrics.text(gauges)}portal_backup_age_seconds 0\nportal_backup_verified 1\n`
  const named = new Set(rules.match(/\b(?:portal|process)_\w+/g))
  expect(named.size).toBeGreaterThan(12)
  const families = [...named].map(name => name.replace(/_(?:bucket|count|sum)$/, ''))
  expect(families.filter(name => !new RegExp(`^(# TYPE )?${name}\\b`, 'm').test(text))).toEqual([])
})

test('every alert has its fix in the runbook', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter(name => !runbook.includes(`| ${name} |`))).toEqual([])
})
