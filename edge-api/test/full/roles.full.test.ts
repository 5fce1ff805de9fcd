import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { root } from '../../../scripts/lib/setup.mjs'
import { createWorkingCopy, type WorkingCopy } from '../../../tools/generate/test-copy.ts'
import { makeTestEnvironment } from '../servers/portal-server.ts'
import { isInstalled } from '../servers/reverse-proxy.ts'
import { end, waitUntilResponding } from '../servers/sqld-server.ts'
import { testSecrets } from '../servers/worker-server.ts'

/* Follows the documentation page of each role: runs every command of its `sh` blocks, in order. */

let copy: WorkingCopy
let folder: string
const stopFunctions: (() => Promise<void>)[] = []

beforeAll(async () => {
  copy = await createWorkingCopy()
  folder = await mkdtemp(path.join(tmpdir(), 'portal-roles-'))
  await copy.git('init', '--quiet', '--initial-branch=main')
  await copy.git('add', '--all')
  await copy.git(
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.org',
    'commit',
    '--quiet',
    '-m',
    'Start',
  )
})
afterEach(async () => {
  for (const stop of stopFunctions.splice(0)) await stop()
})
afterAll(async () => {
  await copy?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the commands of a page, by block. */
const readBlocks = (page: string) =>
  Array.from(
    readFileSync(path.join(root, 'docs', page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm),
    ([, block = '']) => block,
  )

/** Runs a block in one shell, like a terminal that stops at the first failure. @returns its output */
const runBlock = (block: string, directory: string, environment: Record<string, string> = {}) =>
  copy.run('sh', ['-ec', `cd ${directory}\n${block}`], environment)

test('front-end developers can follow docs/front-end.md', async () => {
  let output = ''
  for (const block of readBlocks('front-end.md')) output += await runBlock(block, copy.folder)
  expect(output).toContain('new     mfe-user/src/features/savings/page.tsx')
  expect(output).toMatch(/Tests +\d+ passed/)
  expect(output).toMatch(/dist\/demo: \d+ files/)
})

test('teams can follow docs/team.md', async () => {
  const portal = await copy.start('scripts/start.mjs', await makeTestEnvironment(path.join(folder, 'served')))
  stopFunctions.push(() => portal.stop())
  const environment = {
    REPOSITORY: `file://${copy.folder}`,
    RELEASES_FOLDER: copy.pathOf('releases'),
    PUBLIC_URL: portal.url,
    RELEASED_BY: 'Ada Obi <ada@example.org>',
  }
  const [clone = '', ...rest] = readBlocks('team.md')
  await runBlock(clone, folder, environment)
  const checkout = path.join(folder, 'portal')
  // This is the change that the team releases.
  await appendFile(path.join(checkout, 'mfe-admin/src/routes.tsx'), '\n// A change of the team.\n')
  const outputs: string[] = []
  for (const block of rest) outputs.push(await runBlock(block, checkout, environment))
  const [checked = '', dryRun = '', previewed = '', released = '', rolledBack = ''] = outputs
  expect(checked).toMatch(/Tests .*\d+ passed/)
  expect(dryRun).toContain('has every call that mfe-admin makes')
  const [previewUrl = ''] = /http\S+\/previews\/\S+/.exec(previewed) ?? []
  expect((await fetch(previewUrl, { redirect: 'manual' })).status).toBe(303)
  expect(released).toMatch(/mfe-admin\n +[0-9a-f]{12} +live/)
  expect(rolledBack).toMatch(/mfe-admin [0-9a-f]{12} -> [0-9a-f]{12}, for everyone/)
})

test.skipIf(!isInstalled('curl'))('operators can follow docs/operator.md', async () => {
  const server = path.join(folder, 'server')
  const port = await freePort()
  /** Replaces the server's paths with a temporary folder, and its port with a free one. */
  const adaptToTest = (text: string) =>
    text
      .replaceAll('/srv/portal', `${server}/srv/portal`)
      .replaceAll('/var/lib/portal', `${server}/var/lib/portal`)
      .replaceAll('/tmp/portal.tar.gz', `${server}/portal.tar.gz`)
      .replaceAll(' /etc/', ` ${server}/etc/`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
  // Replaces the steps that only root can do on a real server.
  const preamble = `useradd() { mkdir -p ${server}/srv/portal; }\nrunuser() { shift 3; "$@"; }\n`
  const settings = path.join(server, 'etc/portal.env')
  await mkdir(path.join(server, 'etc/systemd/system'), { recursive: true })
  await mkdir(path.join(server, 'var/lib/portal'), { recursive: true })

  let service: ChildProcess | undefined
  const stop = async () => {
    if (service) await end(service)
  }
  stopFunctions.push(stop)
  /** Does what systemd would do with the unit. */
  async function systemctl(action: string) {
    if (action !== 'start') await stop()
    if (action === 'stop') return
    const unit = adaptToTest(await readFile(path.join(server, 'etc/systemd/system/portal.service'), 'utf8'))
    const program = /^ExecStart=(\S+) start$/m.exec(unit)?.[1] ?? ''
    const variables = (await readFile(settings, 'utf8')).matchAll(/^(\w+)=(['"]?)(.*)\2$/gm)
    const environment = Object.fromEntries(
      Array.from(variables, ([, name = '', , value = '']) => [name, value]),
    )
    service = spawn(program, ['start'], {
      env: { PATH: '/usr/bin:/bin', HOME: server, ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await waitUntilResponding(`http://127.0.0.1:${port}/api/health`, service)
  }
  /** Fills in the variables as the page describes. */
  async function fillInSettings() {
    const values: Record<string, string> = {
      ...testSecrets,
      PORT: String(port),
      DATABASE_URL: `file:${server}/var/lib/portal/portal.db`,
      PAYMENT_PAYSTACK_SECRET_KEY: ['sk', 'live', '0123456789abcdef'].join('_'),
      SUPER_ADMIN_PASSWORD: 'Correct-horse-9',
      METRICS_TOKEN: 'x'.repeat(32),
    }
    const text = await readFile(settings, 'utf8')
    await writeFile(
      settings,
      text.replaceAll(/^(\w+)=(.*)$/gm, (_, name, value) => `${name}='${values[name] ?? value}'`),
    )
  }

  let output = ''
  for (const block of readBlocks('operator.md')) {
    // Consecutive commands share a shell; the commands for systemd are simulated here.
    for (const part of adaptToTest(block).split(/^(?=systemctl )|(?<=^systemctl .*\n)/m)) {
      const [, action] = /^systemctl (?:enable --now|(\w+)) portal\n$/.exec(part) ?? []
      if (part.startsWith('systemctl ')) await systemctl(action ?? 'start')
      else output += await runBlock(preamble + part, root)
    }
    if (block.includes('portal.env.example')) await fillInSettings()
  }
  expect(output).toMatch(/verified\./)
  expect(output).toContain('The activity log is intact')
  expect(await readlink(path.join(server, 'srv/portal/current'))).toBe('releases/1')
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  expect(execFileSync('ls', [path.join(server, 'srv/portal/releases')], { encoding: 'utf8' })).toBe('1\n2\n')
})
