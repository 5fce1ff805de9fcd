import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { smtpMailer } from './mailer-smtp.ts'

const FROM = 'Registry <no-reply@imole.test>'
const mail = {
  id: '0d4ab5a4-1f52-4d5a-9a2b-6f0f0c0f1a11',
  to: 'ade@users.test',
  subject: 'Adébáyọ̀, confirm your address',
  text: 'Hello Ọláṣẹ́ńí\n\nhttps://verify.imole.test/verify-email/abc',
  html: '<p>Hello <b>Ọláṣẹ́ńí</b></p>',
}

interface ReceivedMail {
  email: Email
  secure: boolean
  user: string | undefined
  recipients: string[]
}

const servers: SMTPServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>(done => server.close(() => done()))
})

/** Starts a real SMTP server that stores what it accepts. */
async function startSmtpServer(
  options: SMTPServerOptions,
): Promise<{ port: number; received: ReceivedMail[] }> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        received.push({
          email: await PostalMime.parse(Buffer.concat(chunks)),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
          recipients: session.envelope.rcptTo.map(({ address }) => address),
        })
        callback()
      })
    },
    ...options,
  })
  // A client that refuses the certificate resets the connection; some tests cause this.
  server.on('error', () => undefined)
  servers.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return { port: (server.server.address() as AddressInfo).port, received }
}

const withPassword: SMTPServerOptions = {
  authMethods: ['PLAIN', 'LOGIN'],
  onAuth({ username, password }, _session, callback) {
    if (username === 'registry@imole' && password === 'p@ss/word') callback(null, { user: username })
    else callback(new Error('wrong user or password'))
  },
}
const CREDENTIALS = 'registry%40imole:p%40ss%2Fword'

describe('mail over SMTP', () => {
  test('arrives complete, as text and HTML', async () => {
    const { port, received } = await startSmtpServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
    await smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM }).send(mail)
    expect(received).toHaveLength(1)
    const [{ email, recipients, secure } = {}] = received
    expect(recipients).toEqual(['ade@users.test'])
    expect(secure).toBe(false)
    expect(email?.from).toMatchObject({ name: 'Registry', address: 'no-reply@imole.test' })
    expect(email?.subject).toBe(mail.subject)
    expect(email?.text?.trim()).toBe(mail.text)
    expect(email?.html?.trim()).toBe(mail.html)
    const headers = Object.fromEntries((email?.headers ?? []).map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
    // Each attempt sends the same message ID.
    expect(headers['message-id']).toBe('<0d4ab5a4-1f52-4d5a-9a2b-6f0f0c0f1a11@imole.test>')
  })

  test('switches to TLS if the server offers it, and logs in', async () => {
    const { port, received } = await startSmtpServer(withPassword)
    const mailer = smtpMailer({ url: `smtp://${CREDENTIALS}@localhost:${port}`, from: FROM })
    await mailer.check()
    await mailer.send(mail)
    expect(received).toMatchObject([{ secure: true, user: 'registry@imole' }])
  })

  test('uses TLS from the start with smtps', async () => {
    const { port, received } = await startSmtpServer({ ...withPassword, secure: true })
    await smtpMailer({ url: `smtps://${CREDENTIALS}@localhost:${port}`, from: FROM }).send(mail)
    expect(received).toMatchObject([{ secure: true, user: 'registry@imole' }])
  })

  test('sends one message to one recipient, regardless of the contents of its fields', async () => {
    const { port, received } = await startSmtpServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM })
    await mailer.send({
      ...mail,
      subject: 'Hello\r\nBcc: third@users.test',
      text: 'a\r\n.\r\nMAIL FROM:<x@y>',
    })
    expect(received).toHaveLength(1)
    expect(received[0]?.recipients).toEqual(['ade@users.test'])
    expect(received[0]?.email.bcc).toBeUndefined()
    expect(received[0]?.email.text).toContain('MAIL FROM:<x@y>')
  })

  test('throws if it is refused or cannot be delivered, so that the outbox retries', async () => {
    const { port } = await startSmtpServer(withPassword)
    const wrongPasswordMailer = smtpMailer({ url: `smtp://registry:wrong@localhost:${port}`, from: FROM })
    await expect(wrongPasswordMailer.send(mail)).rejects.toMatchObject({ code: 'EAUTH' })
    const refusing = await startSmtpServer({
      authOptional: true,
      onRcptTo: (_address, _session, callback) => callback(new Error('no such mailbox')),
    })
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${refusing.port}`, from: FROM })
    await expect(mailer.send(mail)).rejects.toThrow()
    const unreachableMailer = smtpMailer({ url: 'smtp://127.0.0.1:1', from: FROM })
    await expect(unreachableMailer.check()).rejects.toThrow()
  })
})
