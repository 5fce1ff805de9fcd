import { test } from 'vitest'
import { killWhilePaying } from '../kill-portal.ts'

test('killed 25 times while payments are paid and settled: none lost, each delivered once, the books at zero', async () => {
  await killWhilePaying(25, 2)
})
