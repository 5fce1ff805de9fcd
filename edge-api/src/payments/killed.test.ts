import { test } from 'vitest'
import '../../test/figure.ts'
import { killWhileWriting } from '../../test/kill-portal.ts'

/* Fault 24 and quality, row 44, with a whole portal; `npm run test:full` kills more often. */

test('fault 24: killed three times while everything is written: nothing acknowledged is lost, payments are delivered once, the ledger at zero', {
  tags: ['QUALITY-44', 'FAULT-24'],
}, async ({ task }) => {
  task.meta.figure = await killWhileWriting(3, 1)
})
