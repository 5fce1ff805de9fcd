import { test } from 'vitest'
import { killWhilePaying } from '../../test/kill-portal.ts'

/* Fault 24 with a whole portal; `npm run test:full` kills more often. */

test('fault 24: killed three times while payments are paid and settled: none lost, each delivered once, the books at zero', {
  timeout: 180_000,
}, async () => {
  await killWhilePaying(3, 1)
})
