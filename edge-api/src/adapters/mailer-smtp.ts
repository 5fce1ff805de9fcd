import { createTransport } from 'nodemailer'
import type { Mailer } from '../ports.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/

/**
 * Sends over SMTP.
 * @param url `smtp(s)://[user:pass@]host:port`: `smtps` is TLS from the start (port 465), `smtp` begins in the clear
 *   and goes over to TLS when the server offers it (port 587), which it must before a password is sent
 * @param from the sender's address, e.g. `Registry <no-reply@example.org>`
 */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  const local = LOOPBACK.test(hostname)
  const transport = createTransport({
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // On this machine nobody stands between, and a relay there has a certificate of its own making.
    requireTLS: username !== '' && !secure && !local,
    tls: { rejectUnauthorized: !local, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) },
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html }) {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
    },
    async check() {
      await transport.verify()
    },
  }
}
