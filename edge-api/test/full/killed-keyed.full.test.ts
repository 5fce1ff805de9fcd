import { test } from 'vitest'
import '../task-meta.ts'
import { killDuringKeyedCalls } from '../kill-keyed.ts'

test('a portal killed 20 times during calls with an idempotency key replays the responses and charges nothing twice', {
  tags: ['ORGANISATION-31'],
}, async ({ task }) => {
  task.meta.measurement = await killDuringKeyedCalls(20, 17)
})
