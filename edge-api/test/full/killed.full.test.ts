import { test } from 'vitest'
import '../task-meta.ts'
import { killWhileWriting } from '../kill-portal.ts'

test('a portal killed 50 times loses no acknowledged write, delivers each payment once, and keeps its ledger balanced', {
  tags: ['QUALITY-44', 'QUALITY-53'],
}, async ({ task }) => {
  task.meta.measurement = await killWhileWriting(50, 7)
})
