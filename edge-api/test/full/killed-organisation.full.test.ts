import { test } from 'vitest'
import '../task-meta.ts'
import { killWhileVerifying } from '../kill-organisation.ts'

test('a portal killed 50 times while an organisation verifies loses no hold and captures none twice', {
  tags: ['ORGANISATION-8'],
}, async ({ task }) => {
  task.meta.measurement = await killWhileVerifying(50, 9)
})
