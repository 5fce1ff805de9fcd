import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

/* The parts of the mocks that only a browser has: the worker, the kept state, the gateway's window. */

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

let browser: Browser
let server: Server
let url: string

beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'page.ts')
  const options = { bundle: true, format: 'esm', target: 'es2022', write: false } as const
  const { outputFiles } = await build({ ...options, entryPoints: [entry] })
  const made = new Map([
    ['/', '<!doctype html><title>loading</title><body><script type="module" src="/page.js"></script>'],
    ['/page.js', outputFiles[0]?.text ?? ''],
  ])
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = path.join(import.meta.dirname, '../public', path.basename(pathname))
    const content = made.get(pathname) ?? (await readFile(file).catch(() => undefined))
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': types[path.extname(pathname) || '.html'] ?? 'text/plain',
      'content-security-policy': "default-src 'self'",
    })
    response.end(content)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
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

afterAll(async () => {
  await browser?.close()
  server?.close()
  server?.closeAllConnections()
})

interface Sent {
  method?: string
  body?: unknown
  token?: string
}

const ready = (page: Page) => page.waitForFunction(() => document.title === 'ready')

/** A call from inside the page, as its code would make it. */
function send(page: Page, place: string, { method = 'GET', body, token }: Sent = {}) {
  return page.evaluate(
    async ([to, init]) => {
      const response = await fetch(`/api${to}`, init)
      const answer: Record<string, unknown> = await response.json()
      return answer
    },
    [
      place,
      {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    ] as const,
  )
}

test.each([
  ['Pay', 'paid', 'success'],
  ['Decline', 'failed', null],
  ['Cancel', 'failed', null],
])(
  '%s in the gateway’s window settles the payment as %s, and a reload keeps it',
  async (choice, status, result) => {
    const page = await browser.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(url)
    await ready(page)
    const credentials = { email: personas.user.email, password: DEMO_PASSWORD }
    const { token } = await send(page, '/auth/login', { method: 'POST', body: credentials })
    const session = { token: String(token) }
    const started = await send(page, '/verification/process-payment', {
      method: 'POST',
      body: { certificate_number: 'UG/2019/00123' },
      ...session,
    })
    const check = `/verification/check-verification-status/${started.transaction_id}`
    expect(await send(page, check, session)).toMatchObject({ status: 'pending' })

    const opened = page.waitForEvent('popup')
    await page.evaluate(
      to => void window.open(to, 'gateway', 'width=800,height=600'),
      String(started.payment_url),
    )
    const popup = await opened
    await popup.getByText('NGN 5000.00').waitFor()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: choice }).click()
    await closed

    expect(JSON.parse((await page.getAttribute('body[data-told]', 'data-told')) ?? '')).toEqual({
      type: 'PAYMENT_SUCCESS',
      transaction_id: started.transaction_id,
    })
    expect(await send(page, check, session)).toMatchObject({ status, verification_status: result })
    await page.reload()
    await ready(page)
    expect(await send(page, check, session)).toMatchObject({ status, verification_status: result })
    await page.goto(`${url}?mocks=reset`)
    await ready(page)
    expect(await send(page, check, session)).toMatchObject({ code: 'UNAUTHENTICATED' })
    await page.context().close()
  },
)
