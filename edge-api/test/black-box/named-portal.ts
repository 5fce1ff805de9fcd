import type { Subject } from './subject.ts'
import { defineBlackBoxSuite } from './suite.ts'

/* Runs the suite on the portal that the environment specifies, for `npm run audits -- proxy`. */

const subject = JSON.parse(process.env.BLACK_BOX_SUBJECT ?? '{}') as Subject

defineBlackBoxSuite(() => subject)
