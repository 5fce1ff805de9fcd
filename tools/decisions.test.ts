import { expect, test } from 'vitest'
import { parseHead } from './decisions.mjs'

test('reads number, subject, date and status from the head of a record', () => {
  const text =
    '# 042 · Canary releases\n\nDate: 2026-11-23. Status: accepted. Extends 041.\n\n**Context.** …\n'
  expect(parseHead('042-canary-releases.md', text)).toEqual({
    file: '042-canary-releases.md',
    number: '042',
    subject: 'Canary releases',
    date: '2026-11-23',
    status: 'accepted. Extends 041',
  })
})

test.each([
  ['another number', '# 041 · Canary releases\n\nDate: 2026-11-23. Status: accepted.\n'],
  ['no date', '# 042 · Canary releases\n\nStatus: accepted.\n'],
  ['no status', '# 042 · Canary releases\n\nDate: 2026-11-23.\n'],
])('rejects a record with %s in its head and names the record', (_, text) => {
  expect(() => parseHead('042-canary-releases.md', text)).toThrow(
    '042-canary-releases.md does not begin with',
  )
})
