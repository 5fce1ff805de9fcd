import { demoMembers } from '@portal/fixtures/organisations'
import { newPrefixedId } from '../ids.ts'
import { record } from '../logs/store.ts'
import { insertEndpoint } from '../organisation-events/endpoint-store.ts'
import { newSecret } from '../organisation-events/signature.ts'
import { seal } from '../sealing.ts'
import type { Step } from './organisation-steps.ts'
import { actor, type Team } from './organisation-verifications.ts'

const DAY = 86_400_000
const HOST = 'hr.kolanut-staffing.example'

/** A webhook endpoint that stopped accepting events and was disabled: events since then are skipped. */
export function disabledEndpoint(
  { id: organisationId, limiting }: Team,
  { addedAt, failingSince }: { addedAt: number; failingSince: number },
): Step[] {
  const [{ person: owner }] = demoMembers
  const disabledAt = failingSince + 5 * DAY
  return [
    {
      at: addedAt,
      run: db =>
        record(db, {
          ...actor(owner),
          activity: 'Webhook endpoint added',
          details: `${HOST} (live)`,
          organisationId,
          at: addedAt,
        }),
    },
    {
      at: disabledAt,
      async run(db) {
        const { JWT_SECRETS } = limiting.ports.environment
        await insertEndpoint(db, {
          id: newPrefixedId('whe'),
          organisationId,
          url: `https://${HOST}/webhooks/certificates`,
          description: 'HR system',
          livemode: true,
          events: ['verification.completed', 'batch.completed', 'letter.status_changed'],
          state: 'disabled',
          disabledReason: 'failing',
          sealedSecret: await seal(newSecret(), JWT_SECRETS, 'webhook secret'),
          failingSince,
          createdBy: owner.id,
          createdAt: addedAt,
        })
        const disabled = { activity: 'Webhook endpoint disabled', details: `${HOST}: failing` }
        await record(db, { userId: null, userEmail: null, ...disabled, organisationId, at: disabledAt })
      },
    },
  ]
}
