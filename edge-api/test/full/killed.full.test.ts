import { test } from 'vitest'
import '../figure.ts'
import { killWhileWriting } from '../kill-portal.ts'

test('a portal killed 50 times at work loses nothing acknowledged, delivers payments once, and its ledger adds up', {
  tags: ['QUALITY-44', 'QUALITY-53'],
}, async ({ task }) => {
  task.meta.figure = await killWhileWriting(50, 7)
})
