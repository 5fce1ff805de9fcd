import { test } from 'vitest'
import '../../test/task-meta.ts'
import { killWhileWriting } from '../../test/kill-portal.ts'

/* Tests fault 24 and row 44 of docs/quality.md with a whole portal; `npm run test:full` kills the process more often. */

test('fault 24: after the process is killed three times while writing, all acknowledged writes are present, payments are delivered once, and the ledger adds up', {
  tags: ['QUALITY-44', 'FAULT-24'],
}, async ({ task }) => {
  task.meta.measurement = await killWhileWriting(3, 1)
})
