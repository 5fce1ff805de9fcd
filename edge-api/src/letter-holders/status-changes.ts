import type { LetterLink } from '@portal/contract/letter'
import type { Database, Tx } from '../db/database.ts'
import { afterResponse } from '../http/after-response.ts'
import { letterStatus } from '../letters/rules.ts'
import { drainOutbox, enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { listMembers, type MemberRow } from '../membership/store.ts'
import { notifyLetterStatus } from '../notifications/notify.ts'
import { isOrganisationEmail } from '../organisation-account.ts'
import { recordLetterStatus } from '../organisation-events/letter-events.ts'
import type { Ports } from '../ports.ts'
import { runQueue } from '../queues/run-queue.ts'
import { composeStatusMail } from './status-mail.ts'
import {
  type Holder,
  listLettersOfCertificates,
  listRequesters,
  listUnnotifiedHolders,
  listUnnotifiedHoldersOfCertificates,
  listUnnotifiedLetters,
  markNotified,
  markStatusChanged,
  QUIET_PERIOD_MS,
  type UnnotifiedLetter,
} from './status-store.ts'

/*
 * Effects that changes of certificates have on the letters issued for them. A letter's status is derived from its certificate
 * and not stored. This module records that it has changed, and notifies each letter holder once per change and letter.
 */

type Status = LetterLink['status']

/** For each status, the number of letters that have it after a change and did not have it before. */
export type ChangedLetterCounts = Partial<Record<Status, number>>

/**
 * Maximum number of letter holders who are notified within the transaction of the change. All others are notified right after
 * it.
 */
const MAX_NOTIFIED = 20
/** Maximum number of letters in one mail. */
const LETTERS_PER_MAIL = 500

/**
 * Runs a change of certificates, and records which letters have a different status afterwards. Every change of certificates
 * that may have letters must go through this function. A change of fields that letters do not show does not affect them.
 * @param ports if given, webhooks are sent right after the commit; otherwise the scheduler sends them
 */
export async function changeAndUpdateLetters<T>(
  db: Tx,
  { certificateIds, at, ports }: { certificateIds: readonly string[]; at: number; ports?: Ports },
  change: () => Promise<T>,
): Promise<{ result: T; changed: ChangedLetterCounts }> {
  const before = await listLettersOfCertificates(db, { certificateIds })
  const result = await change()
  const changed: ChangedLetterCounts = {}
  if (before.length === 0) return { result, changed }
  const statusBefore = new Map(before.map(current => [current.letter.code, letterStatus(current)]))
  const codes = new Map<Status, string[]>()
  for (const current of await listLettersOfCertificates(db, { certificateIds })) {
    const status = letterStatus(current)
    if (statusBefore.get(current.letter.code) === status) continue
    codes.set(status, [...(codes.get(status) ?? []), current.letter.code])
  }
  for (const [status, changedCodes] of codes) {
    await markStatusChanged(db, { codes: changedCodes, status, at })
    await recordLetterStatus(db, ports, { codes: changedCodes, status, at })
    changed[status] = changedCodes.length
  }
  return { result, changed }
}

const statusTexts: Record<Status, string> = {
  valid: 'valid again',
  superseded: 'superseded',
  withdrawn: 'withdrawn',
}

/** Describes the changed letters for the log, for example `2 letters superseded`; empty if there are none. */
export function describeLetterChanges(changed: ChangedLetterCounts): string {
  const parts = Object.entries(statusTexts).flatMap(([status, text]) => {
    const count = changed[status as Status] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? 'letter' : 'letters'} ${text}`]
  })
  return parts.join(', ')
}

/**
 * Notifies the holders of a certificate's letters, in the transaction that changes the certificate. Call `notifyHoldersSoon`
 * afterwards.
 */
export async function notifyHoldersOf(
  ports: Ports,
  db: Tx,
  { certificateId, at }: { certificateId: string; at: number },
): Promise<void> {
  const holders = await listUnnotifiedHoldersOfCertificates(db, {
    certificateIds: [certificateId],
    limit: MAX_NOTIFIED,
  })
  for (const holder of holders) await notifyHolder(ports, db, holder, at)
}

/** Sends one notification and one mail for each new status among the letters of an account. */
async function notifyHolder(ports: Ports, db: Tx, holder: Holder, at: number): Promise<void> {
  const unnotified = await listUnnotifiedLetters(db, { userId: holder.id, limit: LETTERS_PER_MAIL })
  for (const { recipients, letters } of await listRecipients(db, holder, unnotified))
    for (const recipient of recipients) await notifyRecipient(ports, db, { recipient, letters, at })
  await markNotified(db, { codes: unnotified.map(({ code }) => code) })
}

async function notifyRecipient(
  ports: Ports,
  db: Tx,
  { recipient, letters, at }: { recipient: Holder; letters: readonly UnnotifiedLetter[]; at: number },
): Promise<void> {
  const sender = await readSender(db, ports)
  for (const status of ['withdrawn', 'superseded', 'valid'] as const) {
    const changedLetters = letters.filter(letter => letter.status === status)
    if (changedLetters.length === 0) continue
    const numbers = [...new Set(changedLetters.map(letter => letter.certificateNumber))]
    await notifyLetterStatus(db, { holder: recipient, numbers, status, at })
    await enqueueMail(db, ports, composeStatusMail(sender, recipient, { numbers, status }))
  }
}

/**
 * Returns the recipients, each with their letters: the letter holder or, for an organisation, the members who requested the
 * letters. If such a member has left, the owners get the notification.
 */
async function listRecipients(
  db: Tx,
  holder: Holder,
  letters: readonly UnnotifiedLetter[],
): Promise<{ recipients: Holder[]; letters: readonly UnnotifiedLetter[] }[]> {
  if (!isOrganisationEmail(holder.email)) return [{ recipients: [holder], letters }]
  const organisationId = holder.id
  const requesters = await listRequesters(db, { codes: letters.map(({ code }) => code) })
  const members = await listMembers(db, { organisationId })
  const toRecipient = ({ userId: id, email, firstname }: MemberRow): Holder => ({
    id,
    email,
    firstname,
    role: 'user',
  })
  const owners = members.filter(({ role }) => role === 'owner').map(toRecipient)
  const byRequester = Map.groupBy(letters, ({ code }) =>
    members.find(({ userId }) => userId === requesters.get(code)),
  )
  return [...byRequester].map(([member, ownLetters]) => ({
    recipients: member ? [toRecipient(member)] : owners,
    letters: ownLetters,
  }))
}

/**
 * Notifies all remaining letter holders, each in its own transaction. If this is interrupted, the next scheduled run continues.
 * @param quietPeriodMs in milliseconds; holders with a more recent change are notified later
 * @returns the number of holders who were notified
 */
export async function notifyHolders(
  ports: Ports,
  database: Database,
  quietPeriodMs = QUIET_PERIOD_MS,
): Promise<number> {
  let notified = 0
  await runQueue(ports, database, {
    name: 'letter_holders',
    listDue: range => listUnnotifiedHolders(database.read, { ...range, before: range.now - quietPeriodMs }),
    idOf: ({ id }) => id,
    async processItem(holder) {
      await database.write(tx => notifyHolder(ports, tx, holder, ports.clock.now()))
      notified++
      return undefined
    },
  })
  return notified
}

/** After the response, notifies the remaining letter holders and sends the mails. */
export function notifyHoldersSoon(ports: Ports): void {
  afterResponse(ports, 'letter_holders', async database => {
    await notifyHolders(ports, database, 0)
    await drainOutbox(ports, database)
  })
}
