import { formatMinor } from '@portal/format/money'
import { balanceLowNotice } from '@portal/format/organisation-notices'
import type { Database } from '../db/database.ts'
import { composeLowBalanceMail } from '../mail/organisation-mail.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { findOrganisation } from '../membership/store.ts'
import { notifyStaffOnce } from '../notifications/store.ts'
import { recordEvent } from '../organisation-events/record-event.ts'
import { findBatchOfItem, listOldHolds, releaseItems } from '../organisation-money/hold-store.ts'
import type { Ports } from '../ports.ts'
import {
  claimBalanceCheck,
  listBalanceDifferences,
  listThresholdCrossings,
  setLowBalanceNotified,
} from './admin-store.ts'
import { completeBatch } from './batch-run.ts'
import { findBatchById, listPendingItems, setItem } from './batch-store.ts'

const DAY = 86_400_000
/** Age at which a hold is released in any case, in milliseconds. */
const HOLD_LIFETIME_MS = 30 * DAY

/** Notifies members once when the balance falls below their alert level, and not again until it has been above that level. */
async function alertLowBalances(ports: Ports, db: Database): Promise<number> {
  let notified = 0
  for (const { id, lowBalanceNotified: from } of await listThresholdCrossings(db.read)) {
    await db.write(async tx => {
      const to = 1 - from
      if (!(await setLowBalanceNotified(tx, { id, from, to })) || to === 0) return
      const organisation = await findOrganisation(tx, { id })
      if (!organisation) return
      const { name, balanceMinor, heldMinor, lowBalanceAlertMinor } = organisation
      const availableMinor = balanceMinor - heldMinor
      const alertMinor = lowBalanceAlertMinor ?? 0
      await notifyMembers(ports, tx, {
        organisationId: id,
        roles: ['owner', 'manager', 'finance'],
        notice: balanceLowNotice(name, availableMinor),
        path: '/billing',
        mail: (sender, to) => composeLowBalanceMail(sender, to, { organisation, availableMinor, alertMinor }),
        at: ports.clock.now(),
      })
      await recordEvent(tx, ports, {
        organisationId: id,
        type: 'balance.low',
        livemode: true,
        data: { id, status: 'low' },
        // Only one event is recorded each time the balance crosses the level.
        dedupeKey: String(ports.clock.now()),
        at: ports.clock.now(),
      })
      notified++
    })
  }
  return notified
}

/** Releases holds that are too old, and cancels their items. */
async function releaseOldHolds(ports: Ports, db: Database): Promise<number> {
  const at = ports.clock.now()
  const oldHolds = await listOldHolds(db.read, { before: at - HOLD_LIFETIME_MS, limit: 500 })
  for (const { organisationId, batchItemSeq } of oldHolds) {
    if (batchItemSeq === null) continue
    await db.write(async tx => {
      await releaseItems(tx, { organisationId, itemSeqs: [batchItemSeq], at })
      await setItem(tx, batchItemSeq, { status: 'cancelled', message: 'The reservation has expired.' })
      const batchId = await findBatchOfItem(tx, { seq: batchItemSeq })
      const batch = batchId === undefined ? undefined : await findBatchById(tx, { id: batchId })
      const organisation = await findOrganisation(tx, { id: organisationId })
      if (batch?.status !== 'processing' || !organisation) return
      const remaining = await listPendingItems(tx, { batchId: batch.id, limit: 1 })
      if (remaining.length === 0) await completeBatch(ports, tx, { batch, organisation, at })
    })
  }
  return oldHolds.length
}

/** Compares the balance, movements, holds and ledger of every organisation, and alerts staff to any differences. */
async function checkBalances(ports: Ports, db: Database): Promise<number> {
  const differences = await listBalanceDifferences(db.read)
  for (const difference of differences) {
    ports.log({ level: 'error', event: 'organisation_balance', organisation: difference.id })
    const body = `${difference.name}: balance ${formatMinor(difference.balanceMinor)}, movements ${formatMinor(difference.movementsMinor)}, ledger ${formatMinor(difference.ledgerMinor)}.`
    await db.write(tx =>
      notifyStaffOnce(tx, {
        kind: 'payment_mismatch',
        title: 'Balance of an organisation differs',
        body,
        link: `/dashboard/organisations/${difference.id}`,
        at: ports.clock.now(),
      }),
    )
  }
  return differences.length
}

/** Runs the scheduled work for organisations, except batches. Balances are checked once a day. */
export async function runOrganisationJobs(ports: Ports, db: Database): Promise<void> {
  await releaseOldHolds(ports, db)
  await alertLowBalances(ports, db)
  const now = ports.clock.now()
  if (await db.write(tx => claimBalanceCheck(tx, { now, every: DAY }))) await checkBalances(ports, db)
}
