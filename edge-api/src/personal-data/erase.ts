import type { Database, Tx } from '../db/database.ts'
import { erasePersonalValues } from '../logs/seal-store.ts'
import { record } from '../logs/store.ts'
import { erasedMail } from '../mail/erasure-mail.ts'
import { dropMailAbout, enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import type { Ports } from '../ports.ts'
import { findUser } from '../users/store.ts'
import { blankDeeds, blankHolder, blankPayments, blankUser, removeAccess } from './blank-store.ts'
import { blockersOf, isStillAsked, listDueErasures } from './erasure-store.ts'
import { forgetOrganisations, ownOrganisations } from './organisation-store.ts'
import { addressesOf, eraseMentions, eraseNewMentions, eraseUploader } from './traces-store.ts'

/** Accounts erased in one tick; the next one goes on. */
const BATCH = 10

/** True when nothing of an account's money can move any more. */
async function isAtRest(db: Tx | Database['read'], account: { userId: string }): Promise<boolean> {
  const { openPayments, refundsDue } = await blockersOf(db, account)
  return openPayments === 0 && refundsDue === 0 && !(await isStillAsked(db, account))
}

/**
 * Erases an account whose time has come: first its traces in large tables, a range a transaction, then everything else in
 * one, which also decides. One that was cut off begins anew; what it had erased stays so.
 * @returns false when it was taken back, is done already, or its money still moves: the next tick asks again
 */
async function eraseAccount(ports: Ports, database: Database, account: { userId: string }): Promise<boolean> {
  const { userId } = account
  if (!(await isAtRest(database.read, account))) return false
  const addresses = await addressesOf(database.read, account)
  const organisations = await ownOrganisations(database.read, account)
  const above = await eraseMentions(database, { addresses })
  await eraseUploader(database, { addresses })
  const now = ports.clock.now()
  return await database.write(async tx => {
    const user = await findUser(tx, { id: userId })
    if (!user || user.erasureDueAt === null || user.erasureDueAt > now) return false
    if (!(await isAtRest(tx, account))) return false
    await dropMailAbout(tx, ports, addresses)
    await enqueueMail(tx, ports, erasedMail(await readSender(tx, ports), user))
    await forgetOrganisations(tx, { userId, names: organisations })
    await blankHolder(tx, account)
    await blankPayments(tx, account)
    await blankDeeds(tx, account)
    await removeAccess(tx, account)
    await erasePersonalValues(tx, account)
    await eraseNewMentions(tx, { addresses, above })
    await blankUser(tx, { userId, now })
    await record(tx, {
      userId: null,
      userEmail: null,
      activity: 'Account erased',
      details: `Account ${userId}`,
      at: now,
    })
    return true
  })
}

/** Erases the accounts whose time has come; part of the scheduled work. Each is erased once, however many ticks there are. */
export async function eraseDue(ports: Ports, database: Database): Promise<number> {
  let erased = 0
  const due = await listDueErasures(database.read, { now: ports.clock.now(), limit: BATCH })
  for (const userId of due) {
    try {
      if (!(await eraseAccount(ports, database, { userId }))) continue
      erased++
      ports.log({ level: 'info', event: 'account_erased', account: userId })
    } catch (error) {
      const cause = error instanceof Error ? error.name : 'unknown'
      ports.log({ level: 'error', event: 'erasure_failed', account: userId, cause })
    }
  }
  return erased
}
