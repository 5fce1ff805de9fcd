import type { BrowserContext } from 'playwright-core'

declare global {
  interface Window {
    reportViolation(text: string): void
  }
}

/**
 * Chromium's error for a request that the page itself aborted. That is not a failure: the page navigated away, or sent the
 * request again.
 */
const ABORTED_REQUEST = 'net::ERR_ABORTED'
/** Chromium's own message about a status that is already listed as a response. */
const STATUS_LINE = /^Failed to load resource/

/**
 * Collects problems in any page of a context in one list: console errors and exceptions, violations of the content security
 * policy, failed requests (`failed GET /x …`) and responses of 400 and above (`404 GET /x`).
 */
export class Problems {
  readonly found: string[] = []
  private readonly expected: RegExp[] = []

  /** Marks problems that match these patterns as expected from now on. */
  expect(...patterns: RegExp[]): void {
    this.expected.push(...patterns)
  }

  /** Clears the list, and expects no problems any more. */
  clear(): void {
    this.found.length = 0
    this.expected.length = 0
  }

  /** Returns the problems that were not expected. */
  listUnexpected(): string[] {
    return this.found.filter(problem => !this.expected.some(pattern => pattern.test(problem)))
  }

  async watch(context: BrowserContext): Promise<void> {
    const pathOf = (url: string) => {
      const { pathname, search } = new URL(url)
      return pathname + search
    }
    context.on('console', message => {
      const text = message.text()
      if (message.type() === 'error' && !STATUS_LINE.test(text)) this.found.push(`console: ${text}`)
    })
    context.on('weberror', error => this.found.push(`thrown: ${error.error().message}`))
    context.on('requestfailed', request => {
      const reason = request.failure()?.errorText ?? ''
      if (reason !== ABORTED_REQUEST)
        this.found.push(`failed ${request.method()} ${pathOf(request.url())} ${reason}`)
    })
    context.on('response', response => {
      if (response.status() >= 400)
        this.found.push(`${response.status()} ${response.request().method()} ${pathOf(response.url())}`)
    })
    await context.exposeFunction('reportViolation', (text: string) => this.found.push(`policy: ${text}`))
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', event => {
        const where = `${event.sourceFile}:${event.lineNumber}`
        window.reportViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${where}`)
      })
    })
  }
}
