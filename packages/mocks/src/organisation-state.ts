import type { MockMember, MockOrganisation } from './organisation-types.ts'
import type { MockState, MockUser } from './state.ts'

/** Returns all organisations, newest first; a state saved by an older version has none. */
export function organisationsIn(state: MockState): MockOrganisation[] {
  state.organisations ??= []
  return state.organisations
}

/** Returns the active members: those with an enabled account that is not staff. */
export const activeMembers = (
  state: MockState,
  organisation: MockOrganisation,
): { member: MockMember; user: MockUser }[] =>
  organisation.members.flatMap(member => {
    const user = state.users.find(each => each.id === member.user_id)
    return user?.is_enabled && user.role === 'user' ? [{ member, user }] : []
  })
