import { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import { createTestPorts } from '../../test/temporary-database.ts'
import { type CapturingMailbox, mailboxMemory } from '../adapters/mailbox-memory.ts'
import { Fault } from '../fault.ts'
import type { Ports } from '../ports.ts'
import { serveMailbox } from './mailbox-page.ts'
import type { App } from './serve.ts'
import type { Variables } from './variables.ts'

let mailbox: CapturingMailbox
beforeEach(() => {
  mailbox = mailboxMemory()
})

/** Returns an app that only has the mailbox page, with the error responses of `createApp`. */
function createMailboxApp(overrides: Partial<Ports> = {}): App {
  const app: App = new Hono<{ Variables: Variables }>()
  const ports: Ports = {
    ...createTestPorts(),
    openDatabase: () => {
      throw new Error('the mailbox reads no database')
    },
    mailbox,
    gateways: {},
    assets: { get: async () => undefined },
    uploadLimit: 0,
    background: () => undefined,
    ...overrides,
  }
  serveMailbox(app, ports)
  app.onError((error, c) =>
    error instanceof Fault ? c.json({ code: error.code }, error.status) : c.text('', 500),
  )
  return app
}

const at = Date.UTC(2026, 0, 15, 12)
const mail = (to: string, text = 'Hello') => ({
  id: crypto.randomUUID(),
  to,
  subject: `For ${to}`,
  text,
  html: '<p>Hello</p>',
})

test('shows complete mails with links, the newest first', async () => {
  await mailbox.add(
    mail('a@users.test', 'Open:\nhttps://verify.test/verify-email/a-b_c\n\nBye & <b>x</b>'),
    at,
  )
  await mailbox.add(mail('b@users.test'), at + 1000)
  const response = await createMailboxApp().request('/mailbox')
  const page = await response.text()
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(page.indexOf('For b@users.test')).toBeLessThan(page.indexOf('For a@users.test'))
  expect(page).toContain(
    'Open:\n<a href="https://verify.test/verify-email/a-b_c">https://verify.test/verify-email/a-b_c</a>\n\nBye &amp; &lt;b&gt;x&lt;/b&gt;',
  )
  expect(page).toContain('January 15, 2026, 1:00:00 PM WAT')
  expect(page).not.toMatch(/<script|<style|style=|onclick/)
})

test('escapes the content of mails and of the URL query', { tags: ['QUALITY-12'] }, async () => {
  await mailbox.add({ ...mail('"><img src=x>@x.test'), subject: '<script>alert(1)</script>' }, at)
  const page = await (
    await createMailboxApp().request(`/mailbox?to=${encodeURIComponent('"><script>')}`)
  ).text()
  expect(page).not.toContain('"><script>')
  expect(await (await createMailboxApp().request('/mailbox')).text()).not.toMatch(/<script|<img/)
})

test('lists the mail of one recipient as JSON', async () => {
  await mailbox.add(mail('a@users.test'), at)
  await mailbox.add(mail('b@users.test'), at)
  const headers = { accept: 'application/json' }
  const response = await createMailboxApp().request('/mailbox?to=A%40users.test', { headers })
  expect(await response.json()).toEqual({
    mails: [{ ...mail('a@users.test'), id: expect.any(String), at: '2026-01-15T12:00:00.000Z' }],
  })
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('finds mail by words of its recipient, subject and text', async () => {
  await mailbox.add({ ...mail('ada@users.test', 'Your letter is ready'), subject: 'Letter' }, at)
  await mailbox.add({ ...mail('obi@users.test', 'Your refund is due'), subject: 'Refund' }, at)
  const findSubjects = async (query: string) => {
    const response = await createMailboxApp().request(`/mailbox?${query}`, {
      headers: { accept: 'application/json' },
    })
    const { mails } = (await response.json()) as { mails: { subject: string }[] }
    return mails.map(({ subject }) => subject)
  }
  expect(await findSubjects('q=READY+letter')).toEqual(['Letter'])
  expect(await findSubjects('q=users.test+due')).toEqual(['Refund'])
  expect(await findSubjects('q=due&to=ada%40users.test')).toEqual([])
  expect(await (await createMailboxApp().request('/mailbox?q=%3Cb%3E')).text()).toContain(
    'No mail with “&lt;b&gt;”.',
  )
})

test('shows the HTML part in a sandboxed frame whose links open in a new tab', async () => {
  const htmlMail = {
    ...mail('a@users.test'),
    html: '<!doctype html><html><head></head><body><a href="/x">x</a></body></html>',
  }
  await mailbox.add(htmlMail, at)
  const page = await (await createMailboxApp().request('/mailbox')).text()
  expect(page).toContain(`<iframe src="/mailbox/${htmlMail.id}.html"`)
  expect(page).toMatch(/sandbox="allow-popups allow-popups-to-escape-sandbox"/)
  const response = await createMailboxApp().request(`/mailbox/${htmlMail.id}.html`)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.text()).toContain('<head><base target="_blank"></head>')
  expect((await createMailboxApp().request('/mailbox/none.html')).status).toBe(404)
})

test('has the portal’s icon, so that no browser requests a missing one', async () => {
  const page = await (await createMailboxApp().request('/mailbox')).text()
  expect(page).toContain('<link rel="icon" href="/favicon.svg"')
})

test('has its own style sheet', async () => {
  const response = await createMailboxApp().request('/mailbox/style.css')
  expect(response.headers.get('content-type')).toContain('text/css')
})

test('does not exist if mail is really sent, nor in production', async () => {
  const production = { ...createTestPorts().environment, NODE_ENV: 'production' as const }
  for (const overrides of [{ mailbox: undefined }, { environment: production }]) {
    for (const path of ['/mailbox', '/mailbox/style.css', '/mailbox/x.html']) {
      const response = await createMailboxApp(overrides).request(path)
      expect([path, response.status, await response.json()]).toEqual([path, 404, { code: 'NOT_FOUND' }])
    }
  }
})
