import { webhookDisabledNotice } from '@portal/format/organisation-notices'
import type { Database, Tx } from '../db/database.ts'
import { recordLogEntry } from '../logs/store.ts'
import { composeEndpointDisabledMail, composeEndpointFailingMail } from '../mail/webhook-mail.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { findOrganisation } from '../membership/store.ts'
import type { Ports } from '../ports.ts'
import { skipPending } from './delivery-store.ts'
import { changeEndpoint, findEndpointById, listFailing } from './endpoint-store.ts'
import type { EndpointRow } from './event-store.ts'
import { DISABLED_AFTER_MS, FAILING_AFTER_MS } from './schedule.ts'

type MailPorts = Pick<Ports, 'clock' | 'environment'>

const NOTIFIED_ROLES = ['owner', 'manager'] as const
/** Page of an organisation on which its endpoints are listed. */
const PATH = '/developers'

/** Disables an endpoint that keeps failing, or that returned 410 (`gone`), and notifies owners and managers. */
export async function disableEndpoint(
  ports: MailPorts,
  tx: Tx,
  { endpoint, reason, at }: { endpoint: EndpointRow; reason: 'gone' | 'failing'; at: number },
): Promise<void> {
  const { id, organisationId, url } = endpoint
  const organisation = await findOrganisation(tx, { id: organisationId })
  if (!organisation) return
  await changeEndpoint(tx, { id, state: 'disabled', disabledReason: reason })
  await skipPending(tx, { endpointId: id })
  await recordLogEntry(tx, {
    userId: null,
    userEmail: null,
    activity: 'Webhook endpoint disabled',
    details: `${new URL(url).host}: ${reason}`,
    organisationId,
    at,
  })
  await notifyMembers(ports, tx, {
    organisationId,
    roles: NOTIFIED_ROLES,
    notice: webhookDisabledNotice(organisation.name, new URL(url).host),
    path: PATH,
    mail: (sender, to) => composeEndpointDisabledMail(sender, to, { organisation, url, reason }),
    dedupeKey: `webhook-disabled:${id}:${at}`,
    at,
  })
}

/** Notifies members of endpoints that have had no success for a day, and disables those that have had none for five days. */
export async function checkFailingEndpoints(ports: MailPorts, database: Database): Promise<void> {
  const now = ports.clock.now()
  for (const { id } of await listFailing(database.read, { before: now - FAILING_AFTER_MS }))
    await database.write(async tx => {
      const endpoint = await findEndpointById(tx, { id })
      const since = endpoint?.failingSince
      if (!endpoint || !since || endpoint.state !== 'enabled' || since > now - FAILING_AFTER_MS) return
      if (since <= now - DISABLED_AFTER_MS)
        return await disableEndpoint(ports, tx, { endpoint, reason: 'failing', at: now })
      if (endpoint.failingNotifiedAt !== null) return
      const { organisationId, url } = endpoint
      const organisation = await findOrganisation(tx, { id: organisationId })
      if (!organisation) return
      await changeEndpoint(tx, { id, failingNotifiedAt: now })
      await notifyMembers(ports, tx, {
        organisationId,
        roles: NOTIFIED_ROLES,
        mail: (sender, to) => composeEndpointFailingMail(sender, to, { organisation, url, since }),
        path: PATH,
        dedupeKey: `webhook-failing:${id}:${since}`,
        at: now,
      })
    })
}
