import { addDemoWork } from './organisation-demo-work.ts'
import { createState, type MockState } from './state.ts'

/** The demo data with what its organisation has verified, which the handlers make. */
export function demoState(now = new Date(), ...origin: [string?]): MockState {
  const state = createState(now, ...origin)
  addDemoWork(state, now)
  return state
}
