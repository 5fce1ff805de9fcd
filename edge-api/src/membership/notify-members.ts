import type { NotificationKind } from '@portal/contract/notifications'
import type { MemberRole } from '@portal/contract/organisation-shapes'
import type { Notice } from '@portal/format/notices'
import type { Tx } from '../db/database.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { readSender } from '../mail/sender.ts'
import type { Recipient, Sender } from '../mail/templates.ts'
import { linkToOrganisation } from '../notifications/links.ts'
import { notify } from '../notifications/store.ts'
import type { Mail, Ports } from '../ports.ts'
import { listMembersByRole, type MemberRow } from './store.ts'

interface MemberNotice {
  organisationId: string
  roles: readonly MemberRole[]
  notice?: Notice<NotificationKind>
  /** Subpage of the organisation that the notification links to, such as `/billing`. */
  path?: string
  mail?: (sender: Sender, to: Recipient) => Mail
  /** Unique per event, so that no member gets the same mail twice. */
  dedupeKey?: string
  at: number
}

/**
 * Notifies the members with these roles of an event, by notification, mail, or both. Runs in the transaction of the event.
 * @returns these members
 */
export async function notifyMembers(
  ports: Pick<Ports, 'clock' | 'environment'>,
  db: Tx,
  { organisationId, roles, notice, path, mail, dedupeKey, at }: MemberNotice,
): Promise<MemberRow[]> {
  const members = await listMembersByRole(db, { organisationId, roles })
  const sender = mail && (await readSender(db, ports))
  for (const member of members) {
    const link = linkToOrganisation(organisationId, path)
    if (notice) await notify(db, { ...notice, userId: member.userId, link, at })
    if (!mail || !sender) continue
    const dedupe = dedupeKey === undefined ? {} : { dedupeKey: `${dedupeKey}:${member.userId}` }
    await enqueueMail(db, ports, { ...mail(sender, member), ...dedupe })
  }
  return members
}
