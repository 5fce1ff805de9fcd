import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test.each([
  [1, 'verification', {}, '1 verification'],
  [93, 'entry', {}, '93 entries'],
  [2, 'day', {}, '2 days'],
  [0, ['person', 'people'], {}, '0 people'],
  [10_000, 'certificate', { stopped: true }, '10,000 or more certificates'],
] as const)('formats %d of %s with the options %j as "%s"', (total, noun, options, text) => {
  expect(counted(total, noun, options)).toBe(text)
})
