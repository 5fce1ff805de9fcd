import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { PortalAddress } from '../../../edge-api/test/servers/portal-server.ts'
import { TIME_LIMIT_MS } from '../../src/federation/checks.ts'
import { launchChromium } from './chromium.ts'
import { portal, type SignedInUser, storedSession } from './portal.ts'
import { Problems } from './problems.ts'
import { ReusedPage, type Visit } from './reused-page.ts'

export type { Visit }

export interface VisitOptions extends BrowserContextOptions {
  /** The session of the browser; by default, no one is logged in. */
  as?: SignedInUser
  portal?: PortalAddress
  /** True to get a new browser profile even if a page of an earlier test could be reused. */
  fresh?: boolean
}

/** Traces are off by default, because recording them takes a tenth of the CPU time of all browser tests. */
const isTraced = Boolean(process.env.TRACE)

let browser: Browser | undefined
let visits: Visit[] = []
let reusedPage: ReusedPage | undefined
/** True once a visit of this test has claimed the reused page. Several visits may start at the same time. */
let isReusedPageClaimed = false

/**
 * Gives the tests of a file one Chromium, and each test its own contexts, or a context in which everything from an earlier test
 * was cleared. Unexpected problems fail a test at its end. Screenshots of a failed test are kept in the temporary folder, and
 * with `TRACE=1` a trace too (`npx playwright-core show-trace <file>`).
 */
export function withChromium({ windows = false } = {}): void {
  beforeAll(async () => {
    browser = await launchChromium({ windows })
  })

  afterEach(async ({ task }) => {
    const endedVisits = visits
    visits = []
    isReusedPageClaimed = false
    const problems = endedVisits.flatMap(visit => visit.problems.listUnexpected())
    const hasFailed = task.result?.state === 'fail' || problems.length > 0
    if (hasFailed) await keepEvidence(task.name, endedVisits)
    if (
      reusedPage &&
      endedVisits.includes(reusedPage) &&
      (hasFailed || !(await reusedPage.reset().catch(() => false)))
    )
      reusedPage = undefined
    await Promise.all(endedVisits.filter(visit => visit !== reusedPage).map(({ context }) => context.close()))
    // The problems are reported as text, because reports shorten lists and CI keeps only the report.
    expect(problems.join('\n'), 'problems in the browser').toBe('')
  })

  afterAll(() => browser?.close())
}

async function keepEvidence(testName: string, endedVisits: readonly Visit[]): Promise<void> {
  const folder = path.join(tmpdir(), 'portal-e2e')
  await mkdir(folder, { recursive: true })
  const evidencePath = (suffix: string) =>
    path.join(folder, `${testName.replace(/\W+/g, '-').slice(0, 80)}-${suffix}`)
  const pages = endedVisits.flatMap(visit => visit.context.pages())
  for (const [index, page] of pages.entries()) {
    const file = evidencePath(`${index + 1}.png`)
    const screenshot = await page.screenshot({ path: file, timeout: 5000 }).catch(() => undefined)
    if (screenshot) console.error(`${page.url()}: ${file}`)
  }
  for (const [index, { context }] of (isTraced ? endedVisits : []).entries()) {
    const file = evidencePath(`trace-${index + 1}.zip`)
    await context.tracing.stop({ path: file })
    console.error(`trace: ${file}`)
  }
}

/**
 * Makes the page's time limits for responses and remotes ten times as long, because a busy machine would exceed them. Anything
 * that hangs still fails, because of the time limit of the test's own wait. Tests of a time limit install a clock, which
 * replaces these timers.
 */
function lengthenLimits(remoteLimitMs: number): void {
  const [timeout, setTimeout] = [AbortSignal.timeout.bind(AbortSignal), window.setTimeout.bind(window)]
  AbortSignal.timeout = limit => timeout(limit * 10)
  window.setTimeout = Object.assign(
    (work: TimerHandler, delay?: number, ...rest: unknown[]) =>
      setTimeout(work, delay === remoteLimitMs ? delay * 10 : delay, ...rest),
    window.setTimeout,
  )
}

/** Opens a page in another browser profile, with its own storage, cookies and windows. */
export async function visit({
  as,
  portal: visitedPortal = portal(),
  fresh = false,
  ...contextOptions
}: VisitOptions = {}): Promise<Visit> {
  if (!browser) throw new Error('withChromium() is missing in this file')
  const options: BrowserContextOptions = {
    baseURL: visitedPortal.url,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...(as && { storageState: storedSession(as, visitedPortal) }),
    ...contextOptions,
  }
  const canReuse = !isReusedPageClaimed && !fresh && !isTraced
  isReusedPageClaimed ||= canReuse
  if (canReuse && reusedPage?.isCompatible(options)) {
    await reusedPage.reuse(options)
    visits.push(reusedPage)
    return reusedPage
  }
  if (canReuse) await reusedPage?.context.close()
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_TIMEOUT_MS)
  await context.addInitScript(lengthenLimits, TIME_LIMIT_MS)
  if (isTraced) await context.tracing.start({ snapshots: true })
  const problems = new Problems()
  await problems.watch(context)
  const page = await context.newPage()
  const visit = { context, page, problems }
  if (!canReuse) {
    visits.push(visit)
    return visit
  }
  reusedPage = await ReusedPage.create(options, visit)
  visits.push(reusedPage)
  return reusedPage
}

/** Reads a value repeatedly until it is as expected. */
export const poll = <T>(read: () => T | Promise<T>, description?: string) =>
  expect.poll(read, { timeout: WAIT_TIMEOUT_MS, interval: 50, ...(description && { message: description }) })
