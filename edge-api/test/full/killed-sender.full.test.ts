import { test } from 'vitest'
import '../task-meta.ts'
import { killWhileSending } from '../kill-sender.ts'

test('a portal killed 20 times while it sends 1,000 events delivers every acknowledged one', {
  tags: ['ORGANISATION-32'],
}, async ({ task }) => {
  task.meta.measurement = await killWhileSending(1000, 20, 9)
})
