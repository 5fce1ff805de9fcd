import * as z from 'zod'
import type { Database, Tx } from '../db/database.ts'
import { afterAnswer } from '../http/after-answer.ts'
import type { Mail, Ports } from '../ports.ts'
import { open, seal } from '../sealing.ts'
import { isErasedEmail } from '../users/erased.ts'
import {
  deleteMail,
  hasDueMail,
  insertMail,
  type LeasedMail,
  leaseDueMail,
  listWaitingMail,
  markDelivered,
  markFailed,
} from './store.ts'

/*
 * Mail is written into the database in the transaction of the change that it tells of, and sent afterwards: nothing
 * is lost when the mail server is down, and nothing is sent for a change that was rolled back.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits after each failed attempt; after the last one the mail is given up. */
const BACK_OFF = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR] as const
/** Longer than the transport's own time limits together, so that a lease ends only when its holder died. */
const LEASE = 2 * MINUTE

const mailShape = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })

type MailPorts = Pick<Ports, 'clock' | 'environment' | 'mailer' | 'log' | 'metrics' | 'stopping'>

/**
 * Enqueues a mail in the transaction of what it tells of. Follow it with `sendSoon(ports)` after `db.write`.
 * @param mail with `dedupeKey`, a second mail of the same key is dropped, for ever
 * @returns false when it was dropped, as all mail to accounts that were erased
 */
export async function enqueueMail(
  tx: Tx,
  { clock, environment }: Pick<Ports, 'clock' | 'environment'>,
  mail: Mail & { dedupeKey?: string },
): Promise<boolean> {
  const { dedupeKey = null, to, subject, text, html } = mail
  if (isErasedEmail(to)) return false
  const sealed = await seal({ to, subject, text, html }, environment.JWT_SECRETS, 'mail outbox')
  return await insertMail(tx, { id: crypto.randomUUID(), sealed, dedupeKey, now: clock.now() })
}

/** Drops mail that waits for these addresses or names them. What cannot be opened any more is nobody's to read. */
export async function dropMailAbout(
  tx: Tx,
  { environment }: Pick<Ports, 'environment'>,
  addresses: readonly string[],
): Promise<void> {
  for (const { id, sealed } of await listWaitingMail(tx)) {
    const opened = await open(sealed, environment.JWT_SECRETS, 'mail outbox').catch(() => undefined)
    const mail = mailShape.safeParse(opened).data
    if (!mail) continue
    const text = `${mail.to}\n${mail.text}`.toLowerCase()
    if (addresses.some(address => text.includes(address))) await deleteMail(tx, { id })
  }
}

/** Sends what is due once the answer is on its way. */
export function sendSoon(ports: Ports): void {
  afterAnswer(ports, 'mail_drain_failed', async database => {
    await drainOutbox(ports, database)
  })
}

/**
 * Sends every mail that is due, one after the other. Any number of drains may run at once: each mail is leased to
 * one of them. Called after answers (`sendSoon`) and by the scheduled tick, which sends what failed before.
 * @returns how many were delivered and how many were not
 */
export async function drainOutbox(
  ports: MailPorts,
  database: Database,
): Promise<{ delivered: number; failed: number }> {
  const done = { delivered: 0, failed: 0 }
  for (;;) {
    if (ports.stopping.aborted) return done
    const now = ports.clock.now()
    if (!(await hasDueMail(database.read, { now }))) return done
    const mail = await database.write(tx => leaseDueMail(tx, { now, leaseUntil: now + LEASE }))
    if (!mail) return done
    if (await deliver(ports, database, mail)) done.delivered++
    else done.failed++
  }
}

async function deliver(ports: MailPorts, database: Database, mail: LeasedMail): Promise<boolean> {
  try {
    const opened = mailShape.parse(
      await open(mail.sealed ?? '', ports.environment.JWT_SECRETS, 'mail outbox'),
    )
    await ports.mailer.send({ ...opened, id: mail.id })
  } catch (error) {
    const wait = BACK_OFF[mail.attempts - 1]
    const nextAttemptAt = wait === undefined ? null : ports.clock.now() + wait
    ports.metrics.mail(nextAttemptAt === null ? 'given_up' : 'failed')
    ports.log({
      level: nextAttemptAt === null ? 'error' : 'warn',
      event: nextAttemptAt === null ? 'mail_given_up' : 'mail_failed',
      mail: mail.id,
      attempts: mail.attempts,
      cause: causeOf(error),
    })
    await database.write(tx => markFailed(tx, { mail, nextAttemptAt }))
    return false
  }
  ports.metrics.mail('delivered')
  await database.write(tx => markDelivered(tx, { mail, now: ports.clock.now() }))
  return true
}

/** Name and code only: a mail server's message can quote the recipient. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const status =
    'responseCode' in error && typeof error.responseCode === 'number' ? ` ${error.responseCode}` : ''
  return `${error.name}${code}${status}`
}
