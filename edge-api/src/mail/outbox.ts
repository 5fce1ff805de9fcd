import * as z from 'zod'
import { afterCommit, type Database, type Tx } from '../db/database.ts'
import { declareNotReadFromReplicas, executeLast } from '../db/deferred-writes.ts'
import { receivesNoMail } from '../erased.ts'
import { afterResponse } from '../http/after-response.ts'
import { currentRequestId } from '../http/request-id.ts'
import type { Mail, Ports } from '../ports.ts'
import { attempt, type Deferral, runQueue, SKIPPED } from '../queues/run-queue.ts'
import { seal, unseal } from '../sealing.ts'
import {
  deleteMail,
  insertLeasedMail,
  insertMail,
  type LeasedMail,
  leaseMail,
  listDueMail,
  listWaitingMail,
  markDelivered,
  markFailed,
} from './store.ts'

/*
 * Mail is stored in the database, in the transaction of the change that it reports, and sent afterwards. So nothing is lost if
 * the mail server is down, and nothing is sent for a change that was rolled back.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Delays after each failed attempt. After the last one, the mail is abandoned. */
const RETRY_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR] as const
/** Maximum time for sending one mail, and how many mails are sent in parallel. */
const SEND_TIMEOUT_MS = 30 * SECOND
const CONCURRENCY = 4

const mailShape = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })

type MailPorts = Pick<Ports, 'clock' | 'environment' | 'mailer' | 'log' | 'metrics' | 'stopping'>

/**
 * Stores a mail to be sent, in the transaction of the change that it reports. Call `sendSoon(ports)` after `db.write`. Mail to
 * erased accounts is dropped.
 * @param mail if it has a `dedupeKey` that an earlier mail had, it is dropped
 */
export async function enqueueMail(
  tx: Tx,
  { clock, environment }: Pick<Ports, 'clock' | 'environment'>,
  mail: Mail & { dedupeKey?: string },
): Promise<void> {
  const { dedupeKey = null, to, subject, text, html } = mail
  if (receivesNoMail(to)) return
  const sealed = await seal({ to, subject, text, html }, environment.JWT_SECRETS, 'mail outbox')
  await insertMail(tx, { id: crypto.randomUUID(), sealed, dedupeKey, now: clock.now() })
}

/** Number of mails that `sendMailOnCommit` is sending, by mailer. Above the maximum, the scheduler sends further mail. */
const sendingCounts = new WeakMap<Ports['mailer'], number>()
const MAX_SENDING_ON_COMMIT = 16

/**
 * Stores a mail that reports a payment. In a request, the mail is leased from the start and sent once the transaction is
 * committed, which needs neither `sendSoon` nor a query for due mail; if the process dies, the scheduler sends it after the
 * lease has expired. In background work, it is queued like any other mail.
 * @param mail about a change that happens only once, so its `dedupeKey` must be new
 */
export async function sendMailOnCommit(
  tx: Tx,
  ports: Ports,
  mail: Mail & { dedupeKey: string },
): Promise<void> {
  const { mailer, clock, environment } = ports
  const countSending = () => sendingCounts.get(mailer) ?? 0
  if (currentRequestId() === undefined || countSending() >= MAX_SENDING_ON_COMMIT)
    return await enqueueMail(tx, ports, mail)
  const { dedupeKey, ...content } = mail
  if (receivesNoMail(content.to)) return
  const sealed = await seal(content, environment.JWT_SECRETS, 'mail outbox')
  const id = crypto.randomUUID()
  const leasedMail = await insertLeasedMail(tx, { id, sealed, dedupeKey, now: clock.now() })
  afterCommit(tx, id, () => {
    afterResponse(ports, 'mail_drain_failed', async database => {
      const item = { queue: 'mail' as const, item: id, wasDeferred: false }
      sendingCounts.set(mailer, countSending() + 1)
      try {
        await attempt(ports, database, item, async () =>
          toDeferral(await deliver(ports, database, leasedMail, content)),
        )
      } finally {
        sendingCounts.set(mailer, countSending() - 1)
      }
    })
  })
}

/**
 * Drops pending mail that is addressed to one of these addresses or mentions one. Mail that can no longer be decrypted is
 * skipped.
 */
export async function dropMailAbout(
  tx: Tx,
  { environment }: Pick<Ports, 'environment'>,
  addresses: readonly string[],
): Promise<void> {
  for (const { id, sealed } of await listWaitingMail(tx)) {
    const decrypted = await unseal(sealed, environment.JWT_SECRETS, 'mail outbox').catch(() => undefined)
    const mail = mailShape.safeParse(decrypted).data
    if (!mail) continue
    const text = `${mail.to}\n${mail.text}`.toLowerCase()
    if (addresses.some(address => text.includes(address))) await deleteMail(tx, { id })
  }
}

/** Sends due mail after the response. */
export function sendSoon(ports: Ports): void {
  afterResponse(ports, 'mail_drain_failed', async database => {
    await drainOutbox(ports, database)
  })
}

/**
 * Sends all due mail, a few in parallel. Runs may overlap, because each mail is leased to one of them. Called after responses
 * (`sendSoon`) and by the scheduler, which retries failed mail.
 * @returns the numbers of mails that were and were not delivered
 */
export async function drainOutbox(
  ports: MailPorts,
  database: Database,
): Promise<{ delivered: number; failed: number }> {
  const totals = { delivered: 0, failed: 0 }
  await runQueue(ports, database, {
    name: 'mail',
    listDue: range => listDueMail(database.read, range),
    idOf: ({ id }) => id,
    concurrency: CONCURRENCY,
    async processItem({ id }, mayContinue) {
      if (!mayContinue()) return SKIPPED
      const mail = await database.write(tx =>
        executeLast(tx, () => leaseMail(tx, { id, now: ports.clock.now() })),
      )
      if (!mail) return SKIPPED
      const delivery = await deliver(ports, database, mail)
      if (delivery === 'delivered') totals.delivered++
      else totals.failed++
      return toDeferral(delivery)
    },
  })
  return totals
}

type Delivery = 'delivered' | 'abandoned' | Deferral

/** Returns what the queue does with a mail after an attempt: a deferred mail is retried later, any other is done. */
const toDeferral = (delivery: Delivery) => (typeof delivery === 'string' ? undefined : delivery)

/** Sends a mail, and records the outcome. @param content the decrypted mail, if the caller has it */
async function deliver(
  ports: MailPorts,
  database: Database,
  mail: LeasedMail,
  content?: Mail,
): Promise<Delivery> {
  try {
    const decrypted =
      content ??
      mailShape.parse(await unseal(mail.sealed ?? '', ports.environment.JWT_SECRETS, 'mail outbox'))
    await sendWithTimeout(signal => ports.mailer.send({ ...decrypted, id: mail.id }, signal))
  } catch (error) {
    const wait = RETRY_DELAYS_MS[mail.attempts - 1]
    // Random jitter shortens the delay, so that mails that failed together are not retried together.
    const nextAt =
      wait === undefined ? null : ports.clock.now() + Math.round(wait * (1 - 0.2 * Math.random()))
    ports.metrics.recordMail(nextAt === null ? 'given_up' : 'failed')
    ports.log({
      level: nextAt === null ? 'error' : 'warn',
      event: nextAt === null ? 'mail_given_up' : 'mail_failed',
      mail: mail.id,
      attempts: mail.attempts,
      cause: describeError(error),
    })
    await database.write(tx => markFailed(tx, { mail, nextAttemptAt: nextAt }))
    return nextAt === null
      ? 'abandoned'
      : { reason: `The mail server did not accept it (${describeError(error)}).`, nextAt }
  }
  ports.metrics.recordMail('delivered')
  await database.write(tx => {
    declareNotReadFromReplicas(tx)
    return markDelivered(tx, { mail, now: ports.clock.now() })
  })
  return 'delivered'
}

/**
 * Limits the time for sending, because a mail server may accept the connection and then hang, or respond one byte at a time.
 */
async function sendWithTimeout(send: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new DOMException('The mail server did not respond in time.', 'TimeoutError')
      controller.abort(reason)
      reject(reason)
    }, SEND_TIMEOUT_MS)
  })
  try {
    await Promise.race([send(controller.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns only the name and code of an error, because a mail server's message can quote the recipient. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const status =
    'responseCode' in error && typeof error.responseCode === 'number' ? ` ${error.responseCode}` : ''
  return `${error.name}${code}${status}`
}
