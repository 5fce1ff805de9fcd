import type { Subject } from './subject.ts'
import { blackBoxSuite } from './suite.ts'

/* The suite on the portal that its environment names, for `npm run audits -- proxy`. */

const subject = JSON.parse(process.env.BLACK_BOX_SUBJECT ?? '{}') as Subject

blackBoxSuite(() => subject)
