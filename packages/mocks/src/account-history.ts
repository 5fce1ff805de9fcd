import type { ChangeSource } from '@portal/contract/history'
import { fieldChanges, recordChange } from './history.ts'
import type { MockState, MockUser } from './state.ts'

export const versionOf = ({ version = 1 }: MockUser): number => version

/** Returns an account with its version, as in API replies. */
export const accountOf = (user: MockUser) => ({ ...user, version: versionOf(user) })

const toValues = (user: MockUser) => ({
  firstname: user.firstname,
  middlename: user.middlename,
  lastname: user.lastname,
  email: user.email,
  phone: user.phone,
  address: user.address,
  role: user.role,
  is_enabled: user.is_enabled,
  is_verified: user.is_verified,
})

/** If an account has changed, records the changes and increments its version. */
export function recordAccountChange(
  call: { state: MockState; user: MockUser; now: Date },
  before: MockUser | undefined,
  after: MockUser,
  kind: ChangeSource = 'form',
): void {
  const changes = fieldChanges(before && toValues(before), toValues(after))
  if (changes.length === 0) return
  if (before) after.version = versionOf(before) + 1
  recordChange(call, {
    kind: 'user',
    id: after.id,
    version: versionOf(after),
    action: before ? 'updated' : 'created',
    changes,
    source: { kind },
  })
}
