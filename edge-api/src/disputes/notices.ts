import type { NotificationKind } from '@portal/contract/notifications'
import {
  disputeEndedNotice,
  disputeOpenedNotice,
  disputeReminderNotice,
} from '@portal/format/dispute-notices'
import type { Notice } from '@portal/format/notices'
import type { Tx } from '../db/database.ts'
import { recordLogEntry } from '../logs/store.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import { composeMail } from '../mail/templates.ts'
import { linkToDispute } from '../notifications/links.ts'
import { notifyStaff } from '../notifications/store.ts'
import type { Ports } from '../ports.ts'
import type { DisputeRow } from './rules.ts'
import { findDisputeView, listStaffAddresses } from './store.ts'

/* Notifies all staff of events in a dispute, in the portal and by mail, in the transaction of the event. */

type Event = { type: 'opened' } | { type: 'reminder'; which: 'half' | 'last' } | { type: 'ended' }

const ACTIVITY_TYPES = {
  opened: 'Payment dispute opened',
  reminder: 'Payment dispute reminder sent',
  accepted: 'Payment dispute accepted',
  won: 'Payment dispute won',
  lost: 'Payment dispute lost',
  expired: 'Payment dispute expired',
} as const

type EndState = 'accepted' | 'won' | 'lost' | 'expired'
const isEnded = (state: DisputeRow['state']): state is EndState => state !== 'open' && state !== 'contested'

/** Notifies staff of an event in a dispute. Call this after changing the dispute's state. */
export async function notifyStaffOfDispute(
  ports: Ports,
  db: Tx,
  { id }: { id: string },
  event: Event,
  at: number,
): Promise<void> {
  const view = await findDisputeView(db, { id })
  if (!view) throw new Error('a dispute has disappeared')
  const { dispute, payment, refundedMinor } = view
  const facts = {
    reference: payment.providerReference,
    minor: dispute.amountMinor,
    currency: dispute.currency,
    dueAt: dispute.dueAt,
    refundedMinor,
  }
  const { notice, activity } = buildNotice(dispute, facts, event)
  await notifyStaff(db, { ...notice, link: linkToDispute(id), at })
  await recordLogEntry(db, {
    userId: null,
    userEmail: null,
    activity,
    details: `${payment.transactionId}: ${notice.body}`,
    at,
  })
  await mailStaff(ports, db, { id, notice, key: `dispute:${id}:${activity}:${dispute.version}` })
}

function buildNotice(dispute: DisputeRow, facts: Parameters<typeof disputeOpenedNotice>[0], event: Event) {
  if (event.type === 'opened') return { notice: disputeOpenedNotice(facts), activity: ACTIVITY_TYPES.opened }
  if (event.type === 'reminder')
    return { notice: disputeReminderNotice(facts, event.which), activity: ACTIVITY_TYPES.reminder }
  if (!isEnded(dispute.state)) throw new Error('a dispute that has not ended')
  return { notice: disputeEndedNotice(facts, dispute.state), activity: ACTIVITY_TYPES[dispute.state] }
}

async function mailStaff(
  ports: Ports,
  db: Tx,
  { id, notice, key }: { id: string; notice: Notice<NotificationKind>; key: string },
): Promise<void> {
  const sender = await readSender(db, ports)
  for (const { id: staffId, email, firstname } of await listStaffAddresses(db)) {
    const mail = composeMail(
      sender,
      { email, firstname },
      {
        subject: notice.title,
        preview: notice.body,
        heading: notice.title,
        paragraphs: [notice.body],
        action: { label: 'Open the dispute', url: `${sender.publicUrl}${linkToDispute(id)}` },
        notes: [],
      },
    )
    await enqueueMail(db, ports, { ...mail, dedupeKey: `${key}:${staffId}` })
  }
}
