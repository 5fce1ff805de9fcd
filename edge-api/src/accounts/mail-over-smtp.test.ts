import type { AddressInfo } from 'node:net'
import { makeUser } from '@portal/fixtures/factories'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, request, signIn } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

// Tests the portal on Deno with a real SMTP server that accepts mail only after STARTTLS and a password.

const received: { to: string[]; secure: boolean; email: Email }[] = []
const smtp = new SMTPServer({
  authMethods: ['PLAIN'],
  onAuth({ username, password }, _session, callback) {
    if (username === 'registry' && password === 'p@ss') callback(null, { user: username })
    else callback(new Error('wrong user or password'))
  },
  onData(stream, session, callback) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', async () => {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      received.push({ to, secure: session.secure, email: await PostalMime.parse(Buffer.concat(chunks)) })
      callback()
    })
  },
})
let portal: RunningPortal
beforeAll(async () => {
  await new Promise<void>(done => smtp.listen(0, '127.0.0.1', done))
  const { port } = smtp.server.address() as AddressInfo
  portal = await startPortal({
    MAIL_URL: `smtp://registry:p%40ss@localhost:${port}`,
    MAIL_FROM: 'Registry <no-reply@imole.test>',
    PAYMENT_URL: 'http://localhost:9',
    SEED: 'none',
  })
})
afterAll(async () => {
  await portal?.stop()
  await new Promise<void>(done => smtp.close(() => done()))
})

const mailTo = (to: string, subject: string) =>
  eventually(
    async () => received.find(mail => mail.to.includes(to) && mail.email.subject === subject),
    `"${subject}" for ${to}`,
  )

test('a person confirms a registration with one emailed link, and later resets the password with another', async () => {
  const user = makeUser()
  await request('POST', '/auth/register', { portal, body: user })
  const confirmation = await mailTo(user.email, 'Confirm your email address')
  expect(confirmation.to).toEqual([user.email])
  expect(confirmation.secure).toBe(true)
  expect(confirmation.email.from?.address).toBe('no-reply@imole.test')
  // The email omits the name, because anyone could enter a stranger's address here with a message as the name.
  expect(confirmation.email.text).toMatch(/^Hello,\n/)
  expect(`${confirmation.email.text}${confirmation.email.html}`).not.toContain(user.firstname)
  const link = new RegExp(`${portal.url}/verify-email/([\\w-]{43})`)
  const token = link.exec(confirmation.email.text ?? '')?.[1]
  expect(confirmation.email.html).toContain(`href="${portal.url}/verify-email/${token}"`)
  expect((await request('GET', `/auth/verify-email/${token}`, { portal })).status).toBe(200)
  await signIn(user.email, user.password, portal)

  await request('POST', '/auth/forgot-password', { portal, body: { email: user.email } })
  const resetMail = await mailTo(user.email, 'Reset your password')
  const resetToken = /\/reset-password\/([\w-]{43})/.exec(resetMail.email.text ?? '')?.[1]
  const body = { password: 'Another1234' }
  expect((await request('POST', `/auth/reset-password/${resetToken}`, { portal, body })).status).toBe(200)
  await signIn(user.email, 'Another1234', portal)
  await mailTo(user.email, 'Your password was changed')
})

test('mail that is sent to a real server does not appear on /mailbox', async () => {
  for (const path of ['/mailbox', '/mailbox/style.css']) {
    expect((await fetch(`${portal.url}${path}`, { headers: { accept: 'application/json' } })).status).toBe(
      404,
    )
  }
})
