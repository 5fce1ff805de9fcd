import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { readGauges } from '../health/gauges.ts'
import { runScheduledJobs } from '../jobs/scheduled-jobs.ts'

/*
 * Checks that alert rules and dashboards use metrics that exist: with an unknown name, a rule would never fire and a panel
 * would show nothing.
 */

const root = path.join(import.meta.dirname, '../../..')
const rules = readFileSync(path.join(root, 'deploy/prometheus/portal.rules.yml'), 'utf8')
const dashboard = JSON.parse(readFileSync(path.join(root, 'deploy/grafana/portal.json'), 'utf8'))
const runbook = readFileSync(path.join(root, 'docs/runbook.md'), 'utf8')

let setup: TestSetup
beforeAll(async () => {
  setup = await openTestSetup()
})
afterAll(() => setup.close())

interface Panel {
  title: string
  targets?: { expr: string }[]
}
const queries = (dashboard.panels as Panel[]).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** Returns the words of queries that are names of metrics. */
const metricNamesIn = (text: string) => [...new Set(text.match(/\b(?:portal|process)_\w+/g))]

test.each([
  ['an alert', rules],
  ['a dashboard query', queries.join('\n')],
])('every metric that %s uses exists', async (_, text) => {
  const { ports, database } = setup
  await runScheduledJobs(ports, database)
  // These two values come from a disk and a backup, which the test set-up does not have.
  const gauges = await readGauges({ ...ports, disk: async () => ({ free: 1, total: 2 }) }, database)
  const metricsText = `${ports.metrics.toPrometheusText(gauges)}portal_backup_age_seconds 0\nportal_backup_verified 1\n`
  const metricNames = metricNamesIn(text)
  expect(metricNames.length).toBeGreaterThan(12)
  const families = metricNames.map(name => name.replace(/_(?:bucket|count|sum)$/, ''))
  expect(families.filter(name => !new RegExp(`^(# TYPE )?${name}\\b`, 'm').test(metricsText))).toEqual([])
})

test('the dashboard shows every metric that an alert uses, except for those of rare events', () => {
  const dashboardMetrics = metricNamesIn(queries.join('\n'))
  const rareEventMetrics = [
    'portal_backup_verified',
    'portal_database_writes_failing',
    'portal_front_end_pointer_damaged',
    'portal_scheduler_failures_total',
    'portal_timestamps_total',
  ]
  expect(
    metricNamesIn(rules).filter(name => !dashboardMetrics.includes(name) && !rareEventMetrics.includes(name)),
  ).toEqual([])
})

test('the runbook has a fix for every alert', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter(name => !runbook.includes(`| ${name} |`))).toEqual([])
})
