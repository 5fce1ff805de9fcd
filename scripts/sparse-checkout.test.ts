import { execFile, execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkFolder } from './lib/checkout-copy.mjs'
import { root } from './lib/setup.mjs'

/*
 * Tests a sparse checkout with one micro-frontend, the packages, the scripts, the tools and the shell. It includes the
 * uncommitted files of this checkout.
 */

let folder: string
const cloneFile = (file: string) => path.join(folder, file)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-sparse-'))
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' })
  // These commands list the committed and uncommitted files of this checkout, without changing its index.
  const env = { ...process.env, GIT_INDEX_FILE: path.join(folder, 'index') }
  const gitInRoot = (...args: string[]) => execFileSync('git', args, { cwd: root, env }).toString().trim()
  gitInRoot('read-tree', 'HEAD')
  gitInRoot('add', '-A')
  const tree = gitInRoot('write-tree')
  await rm(path.join(folder, 'index'))
  git('init', '-q', '-b', 'main')
  git('config', 'core.autocrlf', 'false')
  const objects = execFileSync('git', ['rev-parse', '--git-path', 'objects'], { cwd: root }).toString().trim()
  await writeFile(cloneFile('.git/objects/info/alternates'), `${path.resolve(root, objects)}\n`)
  git('sparse-checkout', 'set', 'mfe-admin', 'packages', 'scripts', 'shell', 'tools')
  git('read-tree', '-mu', tree)
  const commit = (...words: string[]) =>
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '-q', '-m', ...words)
  commit('Start')
  // A branch with a change, as a team would make one.
  git('switch', '-q', '-c', 'change')
  await appendFile(cloneFile('mfe-admin/src/routes.tsx'), '\n// A change of the team.\n')
  commit('Change', '-a')
  await linkFolder(path.join(root, 'node_modules'), cloneFile('node_modules'))
  // With this file, the type check of the clone repeats only what differs from the last type check of this checkout.
  const typeCheckState = '.tmp/types-front-ends.tsbuildinfo'
  if (!existsSync(path.join(root, typeCheckState))) return
  await mkdir(cloneFile('.tmp'))
  await copyFile(path.join(root, typeCheckState), cloneFile(typeCheckState))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a tool of the workspace in the clone. */
const runTool = (script: string, args: string[], where = '') =>
  promisify(execFile)(process.execPath, [cloneFile(script), ...args], {
    cwd: cloneFile(where),
    env: { ...process.env, PATH: `${cloneFile('node_modules/.bin')}${path.delimiter}${process.env.PATH}` },
    maxBuffer: 1e8,
  }).then(
    ({ stdout, stderr }) => ({ ok: true, output: stdout + stderr }),
    ({ stdout, stderr }) => ({ ok: false, output: `${stdout}${stderr}` }),
  )

const RSPACK = 'node_modules/@rspack/cli/bin/rspack.js'
const buildAdmin = () =>
  runTool(
    RSPACK,
    ['build', '-c', '../rspack.config.ts', '--mode', 'production', '--env', 'app=mfe-admin'],
    'mfe-admin',
  )

// `npm test` runs only the same checks with `--team`, below.
test.runIf(EXHAUSTIVE)(
  'npm run verify checks the files present and lists skipped checks',
  {
    tags: ['SHIPPING-18'],
  },
  async () => {
    const { ok, output } = await runTool('scripts/verify.mjs', [])
    expect(output).toMatch(/^skip {3}types of the API: not in this checkout: edge-api$/m)
    for (const what of [
      'format and lint',
      'types of the front ends',
      'import boundaries',
      'isolation of micro-frontend styles',
    ])
      expect(output).toMatch(new RegExp(`^ok {5}${what}`, 'm'))
    expect({ ok, output: ok || output }).toEqual({ ok: true, output: true })
  },
)

test('npm test -- --team checks and tests its micro-frontend and the packages that changed', {
  tags: ['SHIPPING-18'],
}, async () => {
  const { ok, output } = await runTool('scripts/test.mjs', ['--team', 'admin', '--no-isolate'])
  expect({ ok, output: ok || output }).toEqual({ ok: true, output: true })
  expect(output).toMatch(/^team admin: mfe-admin; unchanged: \d+ packages$/m)
  expect(output).toMatch(/^ok {5}compatibility with released front ends$/m)
  expect(output).toMatch(/Tests .*\d+ passed/)
  const unknown = await runTool('scripts/test.mjs', ['--team', 'nobody'])
  expect(unknown.ok).toBe(false)
  expect(unknown.output).toContain('No team "nobody" in teams.json. Teams: platform, public, user, admin.')
})

test('the clone can be built, and a global style makes the build and verify fail', {
  tags: ['SHIPPING-18'],
}, async () => {
  const { ok, output } = await buildAdmin()
  expect({ ok, output: ok || output }).toEqual({ ok: true, output: true })
  await writeFile(cloneFile('mfe-admin/src/global.css'), 'body {\n  color: red;\n}\n')
  const routes = cloneFile('mfe-admin/src/routes.tsx')
  await writeFile(routes, `import './global.css'\n${await readFile(routes, 'utf8')}`)
  const refused = await buildAdmin()
  expect(refused.ok).toBe(false)
  expect(refused.output).toContain('matches elements of the shell: body')
  const verified = await runTool('tools/styles.mjs', [])
  expect(verified.ok).toBe(false)
  expect(verified.output).toContain('mfe-admin/src/global.css matches elements of the shell: body')
})
