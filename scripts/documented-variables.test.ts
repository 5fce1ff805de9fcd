import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => ending.test(file) && !file.includes('node_modules'))
    .map(file => path.join(folder, file))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Variables that the system sets, or that one of our processes sets for another. */
const INTERNAL = new Set([
  'PATH',
  'TMPDIR',
  // Vitest sets these.
  'VITEST',
  'VITEST_POOL_ID',
  'STOP_WITH_PARENT',
  'BLACK_BOX_SUBJECT',
  'OTHERS_HOST',
  'OTHERS_PORTS',
  // Test portals set these; they are derived from JWT_SECRET.
  'FOLDER',
  'JWT_SECRETS',
])

/** Matches `process.env.NAME`, `env.NAME` and `environment?.['NAME']`. */
const VARIABLE_READ = /\b(?:env|environment|variables)(?:\??\.|\??\.?\[['"])([A-Z][A-Z0-9_]+)\b/g
/** Matches `{ NAME, OTHER: other = '' } = process.env`. */
const VARIABLE_DESTRUCTURED =
  /\{([^{}]*)\}(?:\s*:[^=;{}]+)?\s*=\s*(?:process\.)?(?:env|environment|variables)\b/g

/** Returns the variables that a source reads from the environment, under any name that we use for it. */
function variablesIn(source: string): string[] {
  const destructured = [...source.matchAll(VARIABLE_DESTRUCTURED)].flatMap(([, names = '']) =>
    names.split(','),
  )
  return [
    ...[...source.matchAll(VARIABLE_READ)].map(([, name = '']) => name),
    ...destructured.flatMap(item => /^\s*([A-Z][A-Z0-9_]+)\b/.exec(item)?.[1] ?? []),
  ]
}

test.each([
  ['const port = process.env.MOCK_PORT', ['MOCK_PORT']],
  ['const { PUBLIC_URL = "", PORT: port } = process.env', ['PUBLIC_URL', 'PORT']],
  ['return env.MOCK_PORT ?? environment.PORT', ['MOCK_PORT', 'PORT']],
  [`process.env['DEV_HOST'] || env?.["DEV_PORT"]`, ['DEV_HOST', 'DEV_PORT']],
  ['const {\n  A_1,\n  B_2 = 1,\n}: Record<string, string> = env', ['A_1', 'B_2']],
  ['run({ env: { PATH: 1 } }); someenv.NOT_ONE; const { other } = env', []],
])('finds the environment variables that %s reads', (source, names) => {
  expect(variablesIn(source).sort()).toEqual([...names].sort())
})

test('every environment variable that a script reads is documented', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', /\.md$/)].map(read).join('\n')
  const sources = [
    ...['scripts', 'tools']
      .flatMap(folder => filesBelow(folder, /\.(mjs|ts)$/))
      .filter(file => !file.endsWith(path.basename(import.meta.filename))),
    ...filesBelow('edge-api/test', /\.ts$/),
    'rspack.config.ts',
  ]
  const variableNames = sources.flatMap(file => variablesIn(read(file)))
  for (const variable of ['MOCK_PORT', 'RELEASES_FOLDER', 'PUBLIC_URL', 'APP_VERSION'])
    expect(variableNames).toContain(variable)
  const missing = new Set(
    variableNames.filter(name => !INTERNAL.has(name) && !documents.includes(`\`${name}`)),
  )
  expect([...missing]).toEqual([])
})
