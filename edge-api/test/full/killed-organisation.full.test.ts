import { test } from 'vitest'
import '../figure.ts'
import { killWhileVerifying } from '../kill-organisation.ts'

test('killed 50 times while an organisation verifies: no hold is lost, none is captured twice', {
  tags: ['ORGANISATION-8'],
}, async ({ task }) => {
  task.meta.figure = await killWhileVerifying(50, 9)
})
