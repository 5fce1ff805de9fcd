import { existsSync } from 'node:fs'
import path from 'node:path'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { afterEach, expect, test, vi } from 'vitest'
import { captureOutput } from './lib/output.mjs'
import { nodeBinary, root } from './lib/setup.mjs'

/* Every command prints its usage with --help, and does nothing if an argument is unknown. */

const commands = [
  'assemble',
  'audit-verify',
  'backup',
  'bench',
  'cluster',
  'contract',
  'demo',
  'dev',
  'dev-standalone',
  'doctor',
  'faults',
  'gallery',
  'keys',
  'mock',
  'mutation',
  'new',
  'restore',
  'sbom',
  'start',
  'audits',
  'verify',
]
const folderOf = (name: string) => (existsSync(path.join(root, `scripts/${name}.mjs`)) ? 'scripts' : 'tools')
const runCommand = (name: string, ...args: string[]) =>
  captureOutput(nodeBinary(), [`${folderOf(name)}/${name}.mjs`, ...args], { timeout: WAIT_TIMEOUT_MS })

test.each(commands)('%s prints its usage with --help', async name => {
  expect(await runCommand(name, '--help')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^npm (?:start|run )/),
    err: '',
  })
})

test.each(commands)('%s rejects an unknown option', async name => {
  const { code, out, err } = await runCommand(name, '--nonsense')
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^Unknown option '--nonsense'\.\nnpm (?:start|run )/)
})

test('commands name a superfluous argument', async () => {
  for (const name of ['start', 'verify', 'demo', 'sbom'])
    expect((await runCommand(name, 'nonsense')).err).toMatch(
      /^Unknown argument "nonsense"\.\nnpm (?:start|run )/,
    )
  expect((await runCommand('backup', '/tmp/one', '/tmp/other')).err).toMatch(
    /^Unknown argument "\/tmp\/other"\./,
  )
})

test('commands name a missing argument before they do anything', async () => {
  expect((await runCommand('keys', 'revoke')).err).toMatch(/^Which key\?/)
  expect((await runCommand('assemble')).err).toMatch(/^Which host\?/)
  expect((await runCommand('dev-standalone')).err).toMatch(/^Run this in the folder/)
})

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['PORT', 'abc', 'PORT: "abc" is not a port'],
  ['HOST', '192.0.2.77', 'HOST: "192.0.2.77" is not an address of this machine'],
])('npm run dev rejects %s=%s with a message', async (name, value, sentence) => {
  vi.stubEnv(name, value)
  const { code, out, err } = await runCommand('dev')
  expect({ out, begins: err.slice(0, sentence.length) }).toEqual({ out: '', begins: sentence })
  expect(code).toBeGreaterThan(0)
})

test('npm run releases names a folder that it cannot write to, without a stack trace', async () => {
  vi.stubEnv('RELEASES_FOLDER', path.join(root, 'package.json'))
  const { code, err } = await runCommand('releases', 'rollback', 'mfe-user')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^E[A-Z]+: .*package\.json.*\n$/) })
})

test('npm test prints its usage with --help', async () => {
  const { code, out } = await runCommand('test', '--help')
  expect(code).toBe(0)
  expect(out).toContain('npm test -- --project unit')
})
