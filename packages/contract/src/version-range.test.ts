import { expect, it } from 'vitest'
import { satisfy } from './version-range.ts'

it.each([
  ['19.3.1', '^19.3.1', true],
  ['19.4.0', '^19.3.1', true],
  ['19.3.0', '^19.3.1', false],
  ['20.0.0', '^19.3.1', false],
  ['0.1.4', '^0.1.0', true],
  ['0.2.0', '^0.1.0', false],
  ['0.0.3', '^0.0.3', true],
  ['0.0.4', '^0.0.3', false],
  ['1.2.3', '<=1.2.3', true],
  ['1.10.0', '<=1.9.9', false],
])('version %s satisfies %s: %s', (version, range, expected) => {
  expect(satisfy(version, range)).toBe(expected)
})

it('throws for unsupported ranges and versions', () => {
  for (const range of ['1.2.3', '*', '>=1.2.3', '^1.2', '^1.2.3 || ^2.0.0', '^1.2.3-rc.1'])
    expect(() => satisfy('1.2.3', range)).toThrow('shared packages')
  expect(() => satisfy('1.2.3-rc.1', '^1.2.3')).toThrow('shared packages')
})
