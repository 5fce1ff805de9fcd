import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/setup.mjs'

/* Tests must also pass on a slow shared machine, so time limits are only defined in `packages/fixtures/src/hang-guards.ts`. */

/**
 * Matches a limit in milliseconds: an option, the last argument of a test, a page's default, a signal, a deadline or a
 * comparison.
 */
const TIME_LIMIT =
  /\btimeout: \d[\d_]{3,}|^ *\}, \d[\d_]{4,}\)$|(?:setDefaultTimeout|AbortSignal\.timeout)\(\d[\d_]{3,}\)|deadline = \w+\.now\(\) \+ [\dA-VX-Z]|\.now\(\) - \w+\)\.toBeLess|\bms < \d/m
/** Removes SQLite's busy timeouts and the timeouts of screenshots, which do not limit a test. */
const withoutUnrelatedTimeouts = (source: string) =>
  source.replace(/(?:createClient|openFile|screenshot)\(.*\)/g, '')

test.each([
  "test('x', { timeout: 60_000 }, f)",
  '\n}, 120_000)\n',
  'page.setDefaultTimeout(30_000)',
  'AbortSignal.timeout(5000)',
  'const deadline = Date.now() + 60_000',
  'const deadline = Date.now() + MINUTE',
  'expect(performance.now() - asked).toBeLessThan(20_000)',
  'expect([what, ms < 500]).toEqual([what, true])',
])('recognises %j as a time limit', source => expect(source).toMatch(TIME_LIMIT))

test('no test defines its own time limit', () => {
  const tests = ['*.test.ts', '*.test.tsx', '*/e2e/*.ts']
  const files = execFileSync('git', ['ls-files', ...tests], { cwd: root, encoding: 'utf8' })
  const filesWithLimits = files
    .trim()
    .split('\n')
    .filter(file => !/^(?:scripts\/hang-guards|tools\/statements)\.test\.ts$/.test(file))
    .filter(file => TIME_LIMIT.test(withoutUnrelatedTimeouts(readFileSync(path.join(root, file), 'utf8'))))
  expect(filesWithLimits).toEqual([])
})
