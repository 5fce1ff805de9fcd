import { test } from 'vitest'
import '../figure.ts'
import { killDuringKeyedCalls } from '../kill-keyed.ts'

test('a portal killed 20 times during calls with a key replays the same idempotency key, and charges nothing twice', {
  tags: ['ORGANISATION-31'],
}, async ({ task }) => {
  task.meta.figure = await killDuringKeyedCalls(20, 17)
})
