import { test } from 'vitest'
import '../../test/task-meta.ts'
import { killWhileVerifying } from '../../test/kill-organisation.ts'

/* `npm run test:full` kills the process more often. */

test('a process killed five times during verifications loses no hold and captures none twice', {
  tags: ['ORGANISATION-8'],
}, async ({ task }) => {
  task.meta.measurement = await killWhileVerifying(5, 3)
})
