// `npm run verify` checks format, lint, types, import boundaries, coverage of statements and compatibility with released front
// ends, in seconds and without a database. In a sparse checkout it checks the files that are present, and lists the checks that
// it skips. `--team admin` runs only the checks of that team's parts.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { apps } from './lib/apps.mjs'
import { argumentsOf } from './lib/arguments.mjs'
import { root, run, setUp, toolEnvironment } from './lib/setup.mjs'
import { teamScope } from './lib/team-scope.mjs'

/** @param {string} folder */
const exists = folder => existsSync(path.join(root, folder))
const sources = [...apps().map(({ name }) => `${name}/src`), 'edge-api/src', 'packages']

const allProjects = ['edge-api', 'mfe-admin', 'mfe-public', 'mfe-user', 'shell']

/**
 * The number of threads for each of the three type checks, which run at the same time. Each thread checks shared types again,
 * so on two cores the usual four threads would take twice the CPU time.
 */
const CHECKERS = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 3)))

/**
 * Returns the arguments of a type check that skips files that have not changed since the last one.
 * @param {string} project
 * @param {string} name
 */
const typeCheckArguments = (project, name) => [
  '-p',
  project,
  '--checkers',
  String(CHECKERS),
  '--incremental',
  '--tsBuildInfoFile',
  `.tmp/types-${name}.tsbuildinfo`,
]

/**
 * The checks. One is skipped if a folder in `needs` does not exist.
 * @type {[what: string, command: string, args: string[], needs?: string[]][]}
 */
const checks = [
  ['format and lint', 'biome', ['check', '.']],
  ['types of the front ends', 'tsc', typeCheckArguments('tsconfig.json', 'front-ends')],
  ['types of the API', 'tsc', typeCheckArguments('edge-api/tsconfig.json', 'api'), ['edge-api']],
  [
    'types of scripts and browser tests',
    'tsc',
    typeCheckArguments('scripts/tsconfig.json', 'scripts'),
    allProjects,
  ],
  [
    'import boundaries',
    'depcruise',
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...sources.filter(exists)],
  ],
  [
    'no cycles between folders of the API',
    'depcruise',
    ['--config', 'edge-api/.dependency-cruiser.mjs', '--output-type', 'err-long', 'edge-api/src'],
    ['edge-api'],
  ],
  ['isolation of micro-frontend styles', 'node', ['tools/styles.mjs']],
  ['index of decision records', 'node', ['tools/decisions.mjs', '--check'], ['docs']],
  ['coverage of statements', 'node', ['tools/coverage.mjs'], ['docs', ...allProjects]],
  [
    'compatibility with released front ends',
    'node',
    ['--disable-warning=ExperimentalWarning', 'tools/contract/main.ts'],
  ],
  ['types of the client', 'node', ['tools/client-types.mjs', '--check'], ['edge-api']],
  ['wording (advice only)', 'node', ['tools/words.mjs']],
]

/**
 * Returns the checks of one team's micro-frontends, and of the packages they depend on that changed.
 * @param {string} team
 * @returns {typeof checks}
 */
function teamChecks(team) {
  const { folders, unchanged } = teamScope(team, USAGE)
  console.log(
    `team ${team}: ${folders.join(', ')}${unchanged.length > 0 ? `; unchanged: ${unchanged.length} packages` : ''}`,
  )
  const project = `.tmp/tsconfig-${team}.json`
  const include = [...folders.map(folder => `../${folder}/src`), '../packages/ui/src/css.d.ts']
  mkdirSync(path.join(root, '.tmp'), { recursive: true })
  writeFileSync(
    path.join(root, project),
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions: { types: ['node'] }, include }),
  )
  const teamWide = new Set(['isolation of micro-frontend styles', 'compatibility with released front ends'])
  return [
    ['format and lint', 'biome', ['check', ...folders]],
    [`types of team ${team}`, 'tsc', typeCheckArguments(project, team)],
    [
      'import boundaries',
      'depcruise',
      [
        '--config',
        '.dependency-cruiser.mjs',
        '--output-type',
        'err-long',
        ...folders.map(folder => `${folder}/src`).filter(exists),
      ],
    ],
    ...checks.filter(([what]) => teamWide.has(what)),
  ]
}

const USAGE = 'npm run verify\nOnly what concerns one team: npm run verify -- --team admin'
const { values } = argumentsOf(USAGE, { options: { team: { type: 'string' } } })
await setUp()
const selected = values.team === undefined ? checks : teamChecks(values.team)
/** @param {(typeof checks)[number]} check */
const missingFolders = check => (check[3] ?? []).filter(folder => !exists(folder))
for (const check of selected.filter(item => missingFolders(item).length > 0))
  console.log(`skip   ${check[0]}: not in this checkout: ${missingFolders(check).join(', ')}`)
const runnable = selected.filter(check => missingFolders(check).length === 0)
// With this setting, the compiler collects garbage four times less often. That saves a third of its CPU time, for 20 % more
// memory.
const env = toolEnvironment({ GOGC: process.env.GOGC ?? '400' })
const codes = await Promise.all(runnable.map(([, command, args]) => run(command, args, { env })))
runnable.forEach(([what], index) => {
  console.log(`${codes[index] === 0 ? 'ok    ' : 'FAILED'} ${what}`)
})
process.exit(codes.some(code => code !== 0) ? 1 : 0)
