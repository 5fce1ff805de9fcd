import { ERASURE_GRACE_DAYS } from '@portal/contract/account-data'
import { findUser } from '../accounts/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { redactValues } from '../history/store.ts'
import { erasePersonalValues } from '../logs/seal-store.ts'
import { recordLogEntry } from '../logs/store.ts'
import { composeErasedMail } from '../mail/erasure-mail.ts'
import { dropMailAbout, enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { forgetMember, listSoleOwnerships } from '../membership/store.ts'
import type { Ports } from '../ports.ts'
import { type Deferral, runQueue } from '../queues/run-queue.ts'
import {
  capErasureTimes,
  countErasureBlockers,
  hasErasureTooFarAhead,
  isStillRequeried,
  listDueErasures,
} from './erasure-store.ts'
import { forgetOrganisations, listOwnOrganisations } from './organisation-store.ts'
import { redactHolder, redactPayments, redactStaffActions, redactUser, removeAccess } from './redact-store.ts'
import { eraseMentions, eraseNewMentions, eraseUploaderAddress, listAddresses } from './traces-store.ts'

/** Returns the reason why an account cannot be erased yet; undefined if there is none. */
async function findBlocker(
  db: Tx | Database['read'],
  account: { userId: string },
): Promise<string | undefined> {
  const { openPayments, refundsDue, openDisputes } = await countErasureBlockers(db, account)
  if (refundsDue > 0) return 'A refund is still due to this account. Approve it under Reports, Refunds.'
  if (openDisputes > 0) return 'A payment of this account is disputed at its bank.'
  if ((await listSoleOwnerships(db, account)).length > 0)
    return 'This account is the only owner of an organisation. Appoint another owner first.'
  if (openPayments > 0) return 'A payment of this account is open or under review.'
  if (await isStillRequeried(db, account))
    return 'A payment of this account is still being checked with the gateway, in case it is paid late.'
  return undefined
}

/**
 * Erases an account that is due: first its traces in large tables, one range per transaction, and then everything else in one
 * transaction, which checks again that it may be erased. An interrupted erasure starts over; what was erased stays erased.
 * @returns the reason, if something still prevents the erasure; `skipped` if it was cancelled, or has already been done
 */
async function eraseAccount(
  ports: Ports,
  database: Database,
  account: { userId: string },
): Promise<'erased' | 'skipped' | Deferral> {
  const { userId } = account
  const blocker = await findBlocker(database.read, account)
  if (blocker) return { reason: blocker }
  const addresses = await listAddresses(database.read, account)
  const organisations = await listOwnOrganisations(database.read, account)
  const examinedUpTo = await eraseMentions(database, { addresses })
  await eraseUploaderAddress(database, { addresses })
  const now = ports.clock.now()
  return await database.write(async tx => {
    const user = await findUser(tx, { id: userId })
    if (!user || user.erasureDueAt === null || user.erasureDueAt > now) return 'skipped'
    const currentBlocker = await findBlocker(tx, account)
    if (currentBlocker) return { reason: currentBlocker }
    await dropMailAbout(tx, ports, addresses)
    await enqueueMail(tx, ports, composeErasedMail(await readSender(tx, ports), user))
    await forgetOrganisations(tx, { userId, names: organisations })
    await forgetMember(tx, { userId, addresses })
    await redactHolder(tx, account)
    await redactPayments(tx, account)
    await redactStaffActions(tx, account)
    await removeAccess(tx, account)
    await erasePersonalValues(tx, account)
    await eraseNewMentions(tx, { addresses, above: examinedUpTo })
    await redactValues(tx, { kind: 'user', recordIds: [userId] })
    await redactUser(tx, { userId, now })
    await recordLogEntry(tx, {
      userId: null,
      userEmail: null,
      activity: 'Account erased',
      details: `Account ${userId}`,
      at: now,
    })
    return 'erased'
  })
}

/** Erases the accounts that are due, each only once. */
export async function eraseDue(ports: Ports, database: Database): Promise<number> {
  const times = { now: ports.clock.now(), graceMs: ERASURE_GRACE_DAYS * 86_400_000 }
  if (await hasErasureTooFarAhead(database.read, times))
    await database.write(tx => capErasureTimes(tx, times))
  let erased = 0
  await runQueue(ports, database, {
    name: 'erasure',
    listDue: range => listDueErasures(database.read, range),
    idOf: userId => userId,
    async processItem(userId) {
      const outcome = await eraseAccount(ports, database, { userId })
      if (outcome === 'skipped') return undefined
      if (outcome !== 'erased') return outcome
      erased++
      ports.log({ level: 'info', event: 'account_erased', account: userId })
      return undefined
    },
  })
  return erased
}
