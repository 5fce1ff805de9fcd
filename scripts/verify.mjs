// `npm run verify`: format, lint, types and import boundaries, in seconds and without a database.
import { run, setUp } from './lib/setup.mjs'

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
      'shell/src',
      'mfe-public/src',
      'mfe-user/src',
      'mfe-admin/src',
      'edge-api/src',
      'packages',
    ],
  ],
]

await setUp()
const results = await Promise.all(
  checks.map(async ([name, command, args]) => [name, await run(command, args)]),
)
const failed = results.filter(([, code]) => code !== 0)
for (const [name, code] of results) console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
process.exit(failed.length > 0 ? 1 : 0)
