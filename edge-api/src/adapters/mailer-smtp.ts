import { connect } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Mailer } from '../ports.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/

/** How long connecting to a mail server may take, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 10_000

/**
 * Connects by host name. If left to itself, the mail library would resolve the name and connect to an IP address, which Deno
 * would not recognise as the permitted host.
 */
function openSocket(
  server: ConnectionOptions & { host: string; port: number },
  secure: boolean,
  signal: AbortSignal | undefined,
  onSocket: (
    error: Error | null,
    opened?: { connection: ReturnType<typeof connect>; secured: boolean },
  ) => void,
): void {
  const socket = secure ? connectTls(server) : connect(server)
  const timer = setTimeout(
    () => socket.destroy(new Error('the mail server does not answer')),
    CONNECTION_TIMEOUT_MS,
  )
  const giveUp = () => socket.destroy(new Error('given up'))
  signal?.addEventListener('abort', giveUp, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', giveUp))
  let isOpen = false
  // This listener stays attached: a connection reset before the library attaches its own would otherwise crash the process.
  socket.on('error', error => {
    clearTimeout(timer)
    if (!isOpen) onSocket(error)
  })
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    isOpen = true
    onSocket(null, { connection: socket, secured: secure })
  })
}

/**
 * Creates a mailer that sends over SMTP.
 * @param url `smtp(s)://[user:pass@]host:port`: `smtps` uses TLS from the start (port 465); `smtp` starts in plain text and
 * switches to TLS if the server offers it (port 587), which is required before a password is sent
 * @param from the sender's address, e.g. `Registry <no-reply@example.org>`
 */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  const isLocal = LOOPBACK.test(hostname)
  const server = { host, port: port === '' ? (secure ? 465 : 587) : Number(port) }
  const tls = { rejectUnauthorized: !isLocal, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) }
  // Each mail has its own transport, so that its connection is closed when the mail's time limit is reached.
  const transportFor = (signal?: AbortSignal) =>
    createTransport({
      ...server,
      secure,
      getSocket: (_, onSocket) =>
        openSocket(secure ? { ...server, ...tls } : server, secure, signal, onSocket),
      // Within this machine no one can eavesdrop, and a local relay usually has a self-signed certificate.
      requireTLS: username !== '' && !secure && !isLocal,
      tls,
      ...(username !== '' && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  const domain = from.replace(/>\s*$/, '').split('@').at(-1)
  return {
    async send({ id, to, subject, text, html }, signal) {
      await transportFor(signal).sendMail({
        from,
        // The message ID is the same for each attempt, so that mail servers and mail clients recognise a duplicate.
        messageId: `<${id}@${domain}>`,
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
    },
    async check() {
      await transportFor().verify()
    },
  }
}
