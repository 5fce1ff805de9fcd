import { demoEndpoint, demoMembers } from '@portal/fixtures/organisations'
import { newPrefixedId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { insertEndpoint } from '../organisation-events/endpoint-store.ts'
import { newSecret } from '../organisation-events/signature.ts'
import { seal } from '../sealing.ts'
import type { Step } from './organisation-steps.ts'
import { actorColumns, type DemoOrganisation } from './organisation-verifications.ts'

const HOST = new URL(demoEndpoint.url).host

/**
 * Returns the steps that create a webhook endpoint that stopped accepting events and was disabled; all events since then were
 * skipped.
 */
export function demoEndpointSteps(
  { id: organisationId, call }: DemoOrganisation,
  ago: (days: number) => number,
): Step[] {
  const [{ person: owner }] = demoMembers
  const { url, description, events, addedDaysAgo, lastSuccessDaysAgo, failingDaysAgo, disabledDaysAgo } =
    demoEndpoint
  const [addedAt, disabledAt] = [ago(addedDaysAgo), ago(disabledDaysAgo)]
  return [
    {
      at: addedAt,
      run: db =>
        recordLogEntry(db, {
          ...actorColumns(owner),
          activity: 'Webhook endpoint added',
          details: `${HOST} (live)`,
          organisationId,
          at: addedAt,
        }),
    },
    {
      at: disabledAt,
      async run(db) {
        const { JWT_SECRETS } = call.ports.environment
        await insertEndpoint(db, {
          id: newPrefixedId('whe'),
          organisationId,
          url,
          description,
          livemode: true,
          events: [...events],
          state: 'disabled',
          disabledReason: 'failing',
          sealedSecret: await seal(newSecret(), JWT_SECRETS, 'webhook secret'),
          lastSuccessAt: ago(lastSuccessDaysAgo),
          failingSince: ago(failingDaysAgo),
          createdBy: owner.id,
          createdAt: addedAt,
        })
        const disabled = { activity: 'Webhook endpoint disabled', details: `${HOST}: failing` }
        await recordLogEntry(db, {
          userId: null,
          userEmail: null,
          ...disabled,
          organisationId,
          at: disabledAt,
        })
      },
    },
  ]
}
