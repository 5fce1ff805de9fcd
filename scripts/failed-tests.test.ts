import { describe, expect, it } from 'vitest'
import { failedTests } from './lib/failed-tests.mjs'

const passed = { status: 'passed', fullName: 'a letter prints', failureMessages: [] }

describe('the failed tests of a run', () => {
  it('are listed with their file, name and the first lines of their output', () => {
    const message = [
      'AssertionError: expected 1 to be 2',
      ...Array.from({ length: 40 }, (_, line) => `at ${line}`),
    ]
    const failed = { status: 'failed', fullName: 'the fee is two', failureMessages: [message.join('\n')] }
    const [text, ...more] = failedTests(
      { testResults: [{ name: '/portal/a/fee.test.ts', assertionResults: [passed, failed] }] },
      '/portal',
    )
    expect(more).toEqual([])
    expect(text?.split('\n').slice(0, 2)).toEqual([
      '  a/fee.test.ts > the fee is two',
      '    AssertionError: expected 1 to be 2',
    ])
    expect(text?.split('\n').length).toBeLessThan(20)
  })

  it('include a file that could not be loaded', () => {
    const unloadableFile = { name: '/portal/a.test.ts', message: 'Unexpected token', assertionResults: [] }
    expect(failedTests({ testResults: [unloadableFile] }, '/portal')).toEqual([
      '  a.test.ts\n    Unexpected token',
    ])
  })

  it('do not include tests that passed or were skipped', () => {
    const skipped = { status: 'skipped', fullName: 'on workerd', failureMessages: null }
    expect(
      failedTests({ testResults: [{ name: '/a', message: '', assertionResults: [passed, skipped] }] }, '/'),
    ).toEqual([])
  })
})
