import { test } from 'vitest'
import '../figure.ts'
import { killWhileSending } from '../kill-sender.ts'

test('killed 20 times while it sends 1,000 events: every acknowledged one arrives', {
  tags: ['ORGANISATION-32'],
}, async ({ task }) => {
  task.meta.figure = await killWhileSending(1000, 20, 9)
})
