import { Fault } from './fault.ts'
import type { MockState, MockUser } from './state.ts'

/**
 * Returns the account with this ID.
 * @throws Fault `USER_NOT_FOUND`
 */
export function userOrFail(state: MockState, id: string): MockUser {
  const user = state.users.find(item => item.id === id)
  if (!user) throw new Fault('USER_NOT_FOUND')
  return user
}
