import type { frontEnds as routes } from '@portal/contract/front-ends'
import type { HandlersOf } from './serve.ts'

/** Nobody keeps what the mocks are told. */
export const frontEnds: HandlersOf<typeof routes> = { report: () => ({ received: true }) }
