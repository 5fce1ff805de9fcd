import { expect, test } from 'vitest'
import { coverage } from './coverage.mjs'

test('rows are counted in the tables that say what shows them, and those without a test are not forgotten', () => {
  const text = `# Page

| row | what | shown by |
|---|---|---|
| 1 | one | \`a/b.test.ts\` › *holds* |
| 2 | two | later |

| command | prints |
|---|---|
| \`npm test\` | \`a/b.test.ts\` |
`
  expect(coverage(text)).toEqual({ rows: 2, tested: 1 })
})
