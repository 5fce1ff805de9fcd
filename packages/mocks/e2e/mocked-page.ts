import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { build } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'

const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Serves a minimal page with the mocks under a strict content security policy, and opens it in a new browser context. */
export function mockedPage() {
  let browser: Browser
  let server: Server
  let url: string
  let context: BrowserContext | undefined

  beforeAll(async () => {
    const entry = path.join(import.meta.dirname, 'page.ts')
    const options = { bundle: true, format: 'esm', target: 'es2022', write: false } as const
    const { outputFiles } = await build({ ...options, entryPoints: [entry] })
    const pages = new Map([
      [
        '/',
        '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>loading</title><body><main><h1>Page</h1></main><script type="module" src="/page.js"></script>',
      ],
      ['/page.js', outputFiles[0]?.text ?? ''],
    ])
    server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const file = path.join(import.meta.dirname, '../public', path.basename(pathname))
      const content = pages.get(pathname) ?? (await readFile(file).catch(() => undefined))
      response.writeHead(content === undefined ? 404 : 200, {
        'content-type': contentTypes[path.extname(pathname) || '.html'] ?? 'text/plain',
        'content-security-policy': "default-src 'self'",
      })
      response.end(content)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    url = `http://localhost:${port}/`
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
      ],
    })
  })
  afterEach(async () => {
    await context?.close()
    context = undefined
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    server?.closeAllConnections()
  })

  /** Opens the page, and waits until its mocks are running. */
  async function go(page: Page, search = '') {
    await page.goto(url + search)
    await waitUntilReady(page)
  }

  return {
    go,
    async open(search = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
      context = await browser.newContext(options)
      const page = await context.newPage()
      page.setDefaultTimeout(WAIT_TIMEOUT_MS)
      await go(page, search)
      return page
    },
  }
}

export const waitUntilReady = (page: Page) => page.waitForFunction(() => document.title === 'ready')

interface RequestOptions {
  method?: string
  body?: unknown
  token?: string
}

/** Calls the API from inside the page. */
export function send(page: Page, apiPath: string, { method = 'GET', body, token }: RequestOptions = {}) {
  return page.evaluate(
    async ([to, init]) => {
      const response = await fetch(`/api${to}`, init)
      const answer: Record<string, unknown> = await response.json()
      return answer
    },
    [
      apiPath,
      {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    ] as const,
  )
}
