import { addDemoWork } from './organisation-demo-work.ts'
import { createState, type MockState } from './state.ts'

/** Returns the demo data with the verifications of its organisation, which are created by calling the mocks' own handlers. */
export function demoState(now = new Date(), ...origin: [string?]): MockState {
  const state = createState(now, ...origin)
  addDemoWork(state, now)
  return state
}
