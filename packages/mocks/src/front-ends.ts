import type { frontEnds as routes } from '@portal/contract/front-ends'
import type { HandlersOf } from './serve.ts'

/** The mocks ignore reports. */
export const frontEnds: HandlersOf<typeof routes> = { report: () => ({ received: true }) }
