import { addDemoWork } from './organisation-demo-work.ts'
import { createState, type MockState } from './state.ts'

/** Returns the demo data, including its organisation's verifications, which are created by the API's mock handlers. */
export function demoState(now = new Date(), ...origin: [string?]): MockState {
  const state = createState(now, ...origin)
  addDemoWork(state, now)
  return state
}
