// `npm run verify`: format, lint, types, import boundaries, named packages and what released front ends rely on, in
// seconds and without a database.
import { apps } from './lib/apps.mjs'
import { argumentsOf } from './lib/arguments.mjs'
import { run, setUp } from './lib/setup.mjs'

/** @type {[what: string, command: string, args: string[]][]} */
const checks = [
  ['format and lint', 'biome', ['check', '.']],
  ['types of the front ends', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the API', 'tsc', ['-p', 'edge-api/tsconfig.json']],
  ['types of scripts and browser tests', 'tsc', ['-p', 'scripts/tsconfig.json']],
  [
    'import boundaries',
    'depcruise',
    [
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err-long',
      ...apps().map(({ name }) => `${name}/src`),
      'edge-api/src',
      'packages',
    ],
  ],
  ['styles of the micro-frontends reach their own elements alone', 'node', ['scripts/styles.mjs']],
  ['packages named where they are imported', 'node', ['scripts/declared.mjs']],
  [
    'what released front ends rely on',
    'node',
    ['--disable-warning=ExperimentalWarning', 'scripts/contract/main.ts'],
  ],
]

argumentsOf('npm run verify')
await setUp()
const codes = await Promise.all(checks.map(([, command, args]) => run(command, args)))
checks.forEach(([what], at) => {
  console.log(`${codes[at] === 0 ? 'ok    ' : 'FAILED'} ${what}`)
})
process.exit(codes.some(code => code !== 0) ? 1 : 0)
