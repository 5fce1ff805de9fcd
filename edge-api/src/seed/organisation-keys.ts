import { demoKeys, demoMembers } from '@portal/fixtures/organisations'
import { newSecret, visiblePartsOf } from '@portal/rules/api-key'
import { sha256Hex } from '../digest.ts'
import { newPrefixedId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { insertKey } from '../organisation-keys/store.ts'
import type { Step } from './organisation-steps.ts'
import { actorColumns, type DemoOrganisation } from './organisation-verifications.ts'

const YEAR = 365 * 86_400_000

/** Returns the steps that create API keys, whose secrets no one knows. */
export const demoKeySteps = (
  { id: organisationId }: DemoOrganisation,
  ago: (days: number) => number,
): Step[] =>
  demoKeys.map(({ name, mode, access, daysAgo, lastUsedDaysAgo }) => {
    const at = ago(daysAgo)
    return {
      at,
      async run(db) {
        const [{ person: owner }] = demoMembers
        const secret = newSecret(mode)
        const displayed = visiblePartsOf(secret)
        await insertKey(db, {
          id: newPrefixedId('key'),
          organisationId,
          name,
          mode,
          access,
          hash: sha256Hex(secret),
          ...displayed,
          createdBy: owner.id,
          createdAt: at,
          expiresAt: at + YEAR,
          lastUsedAt: ago(lastUsedDaysAgo),
        })
        const details = `${name} (${mode}, …${displayed.last4})`
        await recordLogEntry(db, {
          ...actorColumns(owner),
          activity: 'API key created',
          details,
          organisationId,
          at,
        })
      },
    }
  })
