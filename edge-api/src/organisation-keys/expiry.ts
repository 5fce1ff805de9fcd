import { formatLongDate } from '@portal/format/dates'
import type { Database } from '../db/database.ts'
import { composeKeyExpiresMail } from '../mail/organisation-mail.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { findOrganisation } from '../membership/store.ts'
import type { Ports } from '../ports.ts'
import { changeKey, listExpiringKeys } from './store.ts'

const DAY = 86_400_000
/** How long before a key expires its organisation is notified, in milliseconds. */
const WARNING_PERIOD_MS = 14 * DAY
/** Maximum number of keys per run. */
const MAX_KEYS_PER_RUN = 100

/**
 * Notifies owners and managers, once per key, of keys that expire within 14 days, except keys that were valid for no longer
 * than that from the start.
 * @returns the number of expiring keys, including those of which no one was notified
 */
export async function warnOfExpiry(ports: Ports, db: Database): Promise<number> {
  const now = ports.clock.now()
  const expiring = await listExpiringKeys(db.read, {
    now,
    before: now + WARNING_PERIOD_MS,
    limit: MAX_KEYS_PER_RUN,
  })
  for (const key of expiring)
    await db.write(async tx => {
      await changeKey(tx, key.id, { warnedAt: now })
      const organisation = await findOrganisation(tx, { id: key.organisationId })
      const isShortLived = key.expiresAt - key.createdAt <= WARNING_PERIOD_MS
      if (!organisation || organisation.state === 'closed' || isShortLived) return
      const expiryDate = formatLongDate(key.expiresAt)
      await notifyMembers(ports, tx, {
        organisationId: organisation.id,
        roles: ['owner', 'manager'],
        mail: (sender, to) => composeKeyExpiresMail(sender, to, { organisation, key, expiresOn: expiryDate }),
        dedupeKey: `key expires:${key.id}`,
        at: now,
      })
    })
  return expiring.length
}
