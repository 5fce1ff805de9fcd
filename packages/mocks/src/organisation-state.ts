import type { MockMember, MockOrganisation } from './organisation-types.ts'
import type { MockState, MockUser } from './state.ts'

/** Returns all organisations, newest first. A state saved by an older version has none yet. */
export function organisationsIn(state: MockState): MockOrganisation[] {
  state.organisations ??= []
  return state.organisations
}

/** Returns the active members: those whose accounts are enabled and are not staff. */
export const activeMembers = (
  state: MockState,
  organisation: MockOrganisation,
): { member: MockMember; user: MockUser }[] =>
  organisation.members.flatMap(member => {
    const user = state.users.find(item => item.id === member.user_id)
    return user?.is_enabled && user.role === 'user' ? [{ member, user }] : []
  })
