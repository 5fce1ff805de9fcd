import { test } from 'vitest'
import '../../test/task-meta.ts'
import { killWhileSending } from '../../test/kill-sender.ts'

/* `npm run test:full` sends 1,000 events and kills the process more often. */

test('every acknowledged event arrives, even if the process is killed while it sends events', {
  tags: ['ORGANISATION-32'],
}, async ({ task }) => {
  task.meta.measurement = await killWhileSending(60, 2, 5)
})
