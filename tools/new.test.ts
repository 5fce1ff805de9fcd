import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { microFrontends } from '../scripts/lib/apps.mjs'
import { copyCheckout } from '../scripts/lib/checkout-copy.mjs'

/*
 * Runs `npm run new` for each kind in a copy of the checkout, and tests that the output is formatted and respects the import
 * boundaries, and that its tests pass. Only `npm run test:full` compiles the output, because a compiler run takes as long as all
 * other tests of this file; it also runs new.browser.test.ts, which runs `npm run verify`, the API's tests and the build.
 */

let copy: Awaited<ReturnType<typeof copyCheckout>>
/** The output of each generator. */
const output: Record<string, string> = {}
const copiedFile = (file: string) => path.join(copy.folder, file)
const read = (file: string) => readFile(copiedFile(file), 'utf8')

/** Runs a tool of the workspace in the copy. */
async function runTool(script: string, ...args: string[]): Promise<{ ok: boolean; output: string }> {
  const environment = {
    ...process.env,
    PATH: `${copiedFile('node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
    // The compiler collects garbage less often, as in `npm run verify`.
    GOGC: '400',
  }
  return promisify(execFile)(process.execPath, [copiedFile(script), ...args], {
    cwd: copy.folder,
    env: environment,
    maxBuffer: 1e7,
  }).then(
    ({ stdout, stderr }) => ({ ok: true, output: stdout + stderr }),
    ({ stdout, stderr }) => ({ ok: false, output: `${stdout}${stderr}` }),
  )
}
const generate = (...args: string[]) => runTool('tools/new.mjs', ...args)

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const screenFolders = [
  'mfe-user/src/features/monthly-totals',
  'mfe-admin/src/features/stamp-orders',
  'mfe-public/src/features/accessibility',
  'mfe-finance/src/features/overview',
]

beforeAll(async () => {
  copy = await copyCheckout()
  const runs = [
    ['screen', 'mfe-user', 'monthly-totals'],
    ['screen', 'mfe-admin', 'stamp-orders', '--title', 'Orders of Stamps'],
    ['screen', 'mfe-public', 'accessibility'],
    ['route', 'verification', 'spent'],
    ['route', 'stamp-orders', 'open-orders', '--access', 'admin'],
    ['micro-frontend', 'finance', '--role', 'super_admin'],
    ['screen', 'mfe-finance', 'forecast'],
  ]
  for (const args of runs) {
    const run = await generate(...args)
    expect(run.ok, run.output).toBe(true)
    output[args[1] ?? ''] = run.output
  }
})
afterAll(() => copy?.remove())

test('the generated code is formatted and passes the linter', async () => {
  const files = [
    ...screenFolders,
    'mfe-finance',
    'edge-api/src/stamp-orders',
    'packages/mocks/src',
    'packages/contract/src',
  ]
  expect(await runTool(BIOME, 'check', ...files)).toMatchObject({ ok: true })
})

test.runIf(EXHAUSTIVE)('the generated code compiles, with its calls in every table', async () => {
  const config = {
    extends: './tsconfig.base.json',
    compilerOptions: {
      lib: ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      jsx: 'react-jsx',
      types: ['node'],
      allowJs: true,
    },
    include: [
      'packages/ui/src/css.d.ts',
      'mfe-finance/src',
      ...screenFolders,
      'mfe-*/src/routes.tsx',
      'packages/mocks/src/handlers.ts',
      'edge-api/src/handlers.ts',
      'edge-api/src/stamp-orders',
      'edge-api/src/verification/spent*',
      'edge-api/src/http/access-table.test.ts',
      'packages/contract/src/openapi.ts',
      'edge-api/test/parity/table.ts',
    ],
  }
  await writeFile(copiedFile('tsconfig.made.json'), JSON.stringify(config))
  // With more threads, each would check the shared types again.
  expect(
    await runTool('node_modules/typescript/bin/tsc', '-p', 'tsconfig.made.json', '--singleThreaded'),
  ).toEqual({ ok: true, output: '' })
})

test.runIf(EXHAUSTIVE)('the generated code does not compile without the mock of a call', async () => {
  const file = 'packages/mocks/src/handlers.ts'
  const before = await read(file)
  await writeFile(copiedFile(file), before.replace(/^ {2}stampOrders,\n/m, ''))
  const config = { extends: './tsconfig.json', include: [file] }
  await writeFile(copiedFile('tsconfig.mocks.json'), JSON.stringify(config))
  const { ok, output } = await runTool('node_modules/typescript/bin/tsc', '-p', 'tsconfig.mocks.json')
  await writeFile(copiedFile(file), before)
  expect(ok).toBe(false)
  expect(output).toMatch(/packages\/mocks\/src\/handlers\.ts.*'stampOrders' is missing/s)
})

test('the generated tests pass, and every folder has an owner', {
  tags: ['SHIPPING-19'],
}, async () => {
  // The owners test uses git.
  await promisify(execFile)('git', ['init', '--quiet'], { cwd: copy.folder })
  const { ok, output } = await runTool(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--no-isolate',
    ...screenFolders,
    'mfe-finance',
    'scripts/owners.test.ts',
    'scripts/apps.test.ts',
  )
  expect(ok, output).toBe(true)
  for (const folder of screenFolders) expect(output).toContain(`${folder}/page.test.tsx`)
})

test('a generated screen has a page, a route with access and, unless it is public, a navigation item', async () => {
  const user = await read('mfe-user/src/routes.tsx')
  expect(user).toMatch(/path: 'monthly-totals',\s+access,\s+title: 'Monthly Totals'/)
  expect(user).toContain("{ tab: 'monthly-totals', label: 'Monthly Totals', icon: FileText, access }")
  const admin = await read('mfe-admin/src/routes.tsx')
  expect(admin).toMatch(/path: 'stamp-orders',\s+access: staff,\s+title: 'Orders of Stamps'/)
  expect(await read('mfe-public/src/routes.tsx')).toMatch(/path: 'accessibility',\s+access: 'public'/)
  expect(await read('mfe-finance/src/routes.tsx')).toMatch(/path: 'forecast',\s+access,/)
})

test('a generated micro-frontend only changes the owners, the teams and the lock file outside its folder', async () => {
  const { area, port } = microFrontends(copy.folder).find(({ name }) => name === 'mfe-finance') ?? {}
  expect(area).toEqual({ path: 'finance', title: 'Finance', roles: ['super_admin'] })
  expect(microFrontends(copy.folder).filter(item => item.port === port)).toHaveLength(1)
  const changed = [...(output.finance?.matchAll(/^changed (.+)$/gm) ?? [])].map(([, file]) => file)
  expect(changed).toEqual(['CODEOWNERS', 'teams.json'])
  const lock = JSON.parse(await read('package-lock.json'))
  expect(lock.packages['node_modules/@portal/mfe-finance']).toEqual({ resolved: 'mfe-finance', link: true })
})

test('import boundaries apply to a generated micro-frontend, with a helpful message', async () => {
  const page = 'mfe-finance/src/features/forecast/page.tsx'
  const before = await read(page)
  await writeFile(
    copiedFile(page),
    `import '../overview/page.tsx'\nimport '../../../../mfe-user/src/routes.tsx'\n${before}`,
  )
  const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'
  const { ok, output } = await runTool(
    cruiser,
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'err-long',
    'mfe-finance/src',
  )
  await writeFile(copiedFile(page), before)
  expect(ok).toBe(false)
  expect(output).toContain('Micro-frontends are released separately: move shared code to packages/.')
  expect(output).toContain('Move code that several features need to src/parts/.')
})

test('npm run new prints its usage with --help', async () => {
  expect(await generate('--help')).toEqual({
    ok: true,
    output: expect.stringContaining('npm run new -- screen <mfe>'),
  })
})

test.each([
  [['screen', 'mfe-user', 'Monthly Totals'], 'lower-case letters, digits and dashes'],
  [['screen', 'mfe-nobody', 'totals'], 'Unknown micro-frontend mfe-nobody: use one of mfe-admin,'],
  [['screen', 'mfe-user', 'history'], 'already has a page at history'],
  [
    ['route', 'verification', 'history'],
    '/verification/history, which already matches /verification/history',
  ],
  [['route', 'letters', 'abc'], '/letters/{code}, which already matches /letters/abc'],
  [['route', 'verification', 'open', '--access', 'public'], 'A public call needs a rate limit'],
  [['mfe', 'money'], '--role user, --role admin, --role super_admin'],
  [['mfe', 'reports', '--role', 'user'], 'mfe-admin already has a page at reports'],
  [['mfe', 'finance', '--role', 'user'], 'mfe-finance already has the area finance'],
  [['page', 'x'], 'npm run new -- screen <mfe> <name>'],
  [['screen', 'mfe-user', 'x', '--colour', 'red'], "Unknown option '--colour'"],
])('npm run new rejects %j with a message and writes nothing', async (args, message) => {
  const { ok, output } = await generate(...args)
  expect(ok).toBe(false)
  expect(output).toContain(message)
  expect(output).not.toMatch(/\n {4}at /)
  expect(output).not.toMatch(/^(?:new|changed) /m)
})
