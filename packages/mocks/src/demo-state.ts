import { addDemoWork } from './organisation-demo-work.ts'
import { createState, type MockState } from './state.ts'

/** Returns the demo data, including the verifications of its organisation, which the handlers create. */
export function demoState(now = new Date(), ...origin: [string?]): MockState {
  const state = createState(now, ...origin)
  addDemoWork(state, now)
  return state
}
