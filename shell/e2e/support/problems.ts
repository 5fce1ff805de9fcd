import type { BrowserContext } from 'playwright-core'

declare global {
  interface Window {
    reportViolation(text: string): void
  }
}

/** A request that the page gave up itself is no failure: it moved on, or asked again. */
const GIVEN_UP = 'net::ERR_ABORTED'
/** Chromium's own line for a status that is listed as the answer it was. */
const STATUS_LINE = /^Failed to load resource/

/**
 * What went wrong in any page of a context, in one list: errors on the console and thrown, breaches of the content
 * policy, requests that failed (`failed GET /x …`) and answers of 400 and above (`404 GET /x`).
 */
export class Problems {
  readonly found: string[] = []
  private readonly expected: RegExp[] = []

  /** From now on such problems belong to the test. */
  expect(...patterns: RegExp[]): void {
    this.expected.push(...patterns)
  }

  /** Unexpected problems. */
  unexpected(): string[] {
    return this.found.filter(problem => !this.expected.some(pattern => pattern.test(problem)))
  }

  async watch(context: BrowserContext): Promise<void> {
    const place = (url: string) => {
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
      if (reason !== GIVEN_UP) this.found.push(`failed ${request.method()} ${place(request.url())} ${reason}`)
    })
    context.on('response', answer => {
      if (answer.status() >= 400)
        this.found.push(`${answer.status()} ${answer.request().method()} ${place(answer.url())}`)
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
