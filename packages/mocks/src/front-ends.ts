import type { frontEnds as routes } from '@portal/contract/front-ends'
import type { HandlersOf } from './serve.ts'

/** Handlers for reports of failures, which the mocks ignore. */
export const frontEnds: HandlersOf<typeof routes> = { report: () => ({ received: true }) }
