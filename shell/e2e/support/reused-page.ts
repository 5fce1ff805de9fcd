import type { EventEmitter } from 'node:events'
import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import type { Problems } from './problems.ts'

/*
 * Loading a page in a new context takes four times the CPU time of loading it in an existing one: Chromium starts a process for
 * the page, which compiles every script again. A page is therefore reused if its test did nothing that would affect the next.
 */

/** A small response of the portal. Unlike with `about:blank`, a page that navigates there keeps its process. */
const HEALTH_PATH = '/api/health'
/** Methods whose effects last until the context is closed. */
const CONTEXT_METHODS = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'setOffline',
] as const
const PAGE_METHODS = ['addInitScript', 'exposeBinding', 'exposeFunction'] as const
const CLOCK_METHODS = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'] as const
const EVENTS = ['console', 'dialog', 'download', 'filechooser', 'popup', 'request', 'response'] as const

/** Calls `onCall` before each call of these methods, with its first argument. */
function observeCalls<Target extends object>(
  target: Target,
  methods: readonly (keyof Target & string)[],
  onCall: (firstArgument: unknown) => void,
): void {
  for (const method of methods) {
    const original: unknown = target[method]
    if (typeof original !== 'function') throw new Error(`${method} is not a method`)
    const wrapped = (...args: unknown[]) => {
      onCall(args[0])
      return Reflect.apply(original, target, args)
    }
    Object.assign(target, { [method]: wrapped })
  }
}

/** Returns the page as an event emitter, which its type does not express. */
const emitter = (page: Page) => page as unknown as EventEmitter
const countListeners = (page: Page) => EVENTS.map(event => emitter(page).listenerCount(event)).join()

export interface Visit {
  context: BrowserContext
  page: Page
  problems: Problems
}

/** A page that later tests of a file can reuse. */
export class ReusedPage {
  readonly context: BrowserContext
  readonly page: Page
  readonly problems: Problems
  private readonly options: BrowserContextOptions
  private readonly session: CDPSession
  private readonly listenerCounts: string
  private hasLastingChanges = false

  private constructor(options: BrowserContextOptions, visit: Visit, session: CDPSession) {
    const { context, page } = visit
    this.context = context
    this.page = page
    this.problems = visit.problems
    this.options = options
    this.session = session
    this.listenerCounts = countListeners(page)
    const markAsLasting = () => {
      this.hasLastingChanges = true
    }
    observeCalls(context, CONTEXT_METHODS, markAsLasting)
    observeCalls(page, PAGE_METHODS, markAsLasting)
    observeCalls(context.clock, CLOCK_METHODS, markAsLasting)
    // Changed scripts and styles may stay in the renderer's cache, but changed responses of the API do not.
    for (const target of [context, page])
      observeCalls(
        target,
        ['route'],
        firstArgument => !/api\\?\//.test(String(firstArgument)) && markAsLasting(),
      )
  }

  static async create(options: BrowserContextOptions, visit: Visit): Promise<ReusedPage> {
    return new ReusedPage(options, visit, await visit.context.newCDPSession(visit.page))
  }

  /** Returns whether a context with these options would be like this one, apart from the options that `reuse` sets. */
  isCompatible(options: BrowserContextOptions): boolean {
    const serialise = ({ viewport: _, storageState: __, ...rest }: BrowserContextOptions) =>
      JSON.stringify(rest)
    return serialise(options) === serialise(this.options)
  }

  /** Clears what the test has left behind. Resolves to false if that is not possible; the caller then closes the context. */
  async reset(): Promise<boolean> {
    const { context, page, session } = this
    if (this.hasLastingChanges || page.isClosed() || countListeners(page) !== this.listenerCounts)
      return false
    for (const other of context.pages()) if (other !== page) await other.close()
    for (const target of [page, context]) await target.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(HEALTH_PATH)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await context.clearCookies()
    await session.send('Page.resetNavigationHistory')
    return true
  }

  /** Prepares the page for a test, with the storage and size of these options. */
  async reuse({ storageState, viewport, colorScheme, reducedMotion }: BrowserContextOptions): Promise<void> {
    this.problems.clear()
    await this.page.emulateMedia({
      media: null,
      colorScheme: colorScheme ?? 'light',
      reducedMotion: reducedMotion ?? 'no-preference',
      forcedColors: 'none',
      contrast: 'no-preference',
    })
    if (viewport) await this.page.setViewportSize(viewport)
    const [origin] = typeof storageState === 'object' ? storageState.origins : []
    await this.page.evaluate(entries => {
      for (const { name, value } of entries) localStorage.setItem(name, value)
    }, origin?.localStorage ?? [])
  }
}
