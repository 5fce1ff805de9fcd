import { test } from 'vitest'
import '../../test/figure.ts'
import { killWhileVerifying } from '../../test/kill-organisation.ts'

/* `npm run test:full` kills more often. */

test('killed five times while an organisation verifies: no hold is lost, none is captured twice', async ({
  task,
}) => {
  task.meta.figure = await killWhileVerifying(5, 3)
})
