// `npm run verify`: format, lint, types, import boundaries, tests of every statement and what
// released front ends rely on, in seconds and without a database.
// In a sparse checkout it checks what is there, and names what it skips.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { apps } from './lib/apps.mjs'
import { argumentsOf } from './lib/arguments.mjs'
import { root, run, setUp } from './lib/setup.mjs'

/** @param {string} folder */
const isThere = folder => existsSync(path.join(root, folder))
const sources = [...apps().map(({ name }) => `${name}/src`), 'edge-api/src', 'packages']

const everything = ['edge-api', 'mfe-admin', 'mfe-public', 'mfe-user', 'shell']

/** `needs`: folders without which there is nothing to check. @type {[what: string, command: string, args: string[], needs?: string[]][]} */
const checks = [
  ['format and lint', 'biome', ['check', '.']],
  ['types of the front ends', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the API', 'tsc', ['-p', 'edge-api/tsconfig.json'], ['edge-api']],
  ['types of scripts and browser tests', 'tsc', ['-p', 'scripts/tsconfig.json'], everything],
  [
    'import boundaries',
    'depcruise',
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...sources.filter(isThere)],
  ],
  [
    'no cycles between folders of the API',
    'depcruise',
    ['--config', 'edge-api/.dependency-cruiser.mjs', '--output-type', 'err-long', 'edge-api/src'],
    ['edge-api'],
  ],
  ['styles of the micro-frontends reach their own elements alone', 'node', ['tools/styles.mjs']],
  ['the list of decision records', 'node', ['tools/decisions.mjs', '--check'], ['docs']],
  ['a test or a reason for every statement', 'node', ['tools/coverage.mjs'], ['docs', ...everything]],
  [
    'what released front ends rely on',
    'node',
    ['--disable-warning=ExperimentalWarning', 'tools/contract/main.ts'],
    ['edge-api'],
  ],
  ['wording (advice only)', 'node', ['tools/words.mjs']],
]

argumentsOf('npm run verify')
await setUp()
/** @param {(typeof checks)[number]} check */
const missing = check => (check[3] ?? []).filter(folder => !isThere(folder))
for (const check of checks.filter(each => missing(each).length > 0))
  console.log(`skip   ${check[0]}: not in this checkout: ${missing(check).join(', ')}`)
const due = checks.filter(check => missing(check).length === 0)
const codes = await Promise.all(due.map(([, command, args]) => run(command, args)))
due.forEach(([what], at) => {
  console.log(`${codes[at] === 0 ? 'ok    ' : 'FAILED'} ${what}`)
})
process.exit(codes.some(code => code !== 0) ? 1 : 0)
