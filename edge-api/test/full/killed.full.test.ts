import { test } from 'vitest'
import '../figure.ts'
import { killWhileWriting } from '../kill-portal.ts'

test('killed 50 times while everything is written: nothing acknowledged is lost, payments are delivered once, the ledger is at zero', {
  tags: ['QUALITY-44', 'QUALITY-53'],
}, async ({ task }) => {
  task.meta.figure = await killWhileWriting(50, 7)
})
