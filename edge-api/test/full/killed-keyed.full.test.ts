import { test } from 'vitest'
import '../figure.ts'
import { killDuringKeyedCalls } from '../kill-keyed.ts'

test('killed 20 times during calls of a key: the same idempotency key replays, and nothing is charged twice', {
  tags: ['ORGANISATION-31'],
}, async ({ task }) => {
  task.meta.figure = await killDuringKeyedCalls(20, 17)
})
