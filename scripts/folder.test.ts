import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { describe, expect, test } from 'vitest'
import { makeFolder as makeFolderOfApi } from '../edge-api/src/folder.ts'
import { makeFolder } from './lib/folder.mjs'
import { nodeBinary, root } from './lib/setup.mjs'

/* Tests how data and backup folders are created, and that a location where nothing can be created is reported immediately. */

const makers = [
  ['commands', makeFolder],
  ['the API', makeFolderOfApi],
] as const

test.each(makers)(
  'a folder of %s is created with its parents, and left unchanged if it exists',
  (_, make) => {
    const top = mkdtempSync(path.join(tmpdir(), 'portal-folder-'))
    try {
      const folder = path.join(top, 'one', 'two')
      for (let times = 0; times < 2; times++) make(folder, 0o700)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(readdirSync(top)).toEqual(['one'])
    } finally {
      rmSync(top, { recursive: true })
    }
  },
)

test.each(makers)('a file where a folder of %s should be is reported', (_, make) => {
  const top = mkdtempSync(path.join(tmpdir(), 'portal-folder-'))
  try {
    const file = path.join(top, 'file')
    writeFileSync(file, '')
    expect(() => make(file)).toThrow(/EEXIST/)
    expect(() => make(path.join(file, 'folder'))).toThrow(/ENOTDIR|EEXIST/)
  } finally {
    rmSync(top, { recursive: true })
  }
})

const runCommand = (args: string[], env: Record<string, string>) =>
  spawnSync(nodeBinary(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: WAIT_TIMEOUT_MS,
  })

// Node's own recursive mkdir hangs here.
describe.skipIf(!existsSync('/proc/self'))('where nothing can be created', () => {
  test('npm start reports it before building, and ends', () => {
    const { status, stdout, stderr } = runCommand(['scripts/start.mjs'], {
      DATABASE_URL: 'file:/proc/nope/portal.db',
    })
    // An empty output means that nothing was built first.
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^\/proc\/nope is not writable \(ENOENT\): [^\n]+\n$/)
    expect(status).toBe(1)
  })

  test('npm run backup reports it and ends', () => {
    const top = mkdtempSync(path.join(tmpdir(), 'portal-folder-'))
    try {
      const database = path.join(top, 'portal.db')
      writeFileSync(database, '')
      const env = { DATABASE_URL: `file:${database}`, PAYMENT_DATABASE_URL: '' }
      const { status, stderr } = runCommand(['edge-api/src/runtimes/backup.ts', '/proc/nope'], env)
      expect(stderr).toBe(
        "The copy could not be made: ENOENT: no such file or directory, mkdir '/proc/nope'\n",
      )
      expect(status).toBe(2)
    } finally {
      rmSync(top, { recursive: true })
    }
  })
})
