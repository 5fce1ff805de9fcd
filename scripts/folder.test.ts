import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WAIT_HANGS } from '@portal/fixtures/hang-guards'
import { describe, expect, test } from 'vitest'
import { makeFolder as makeFolderOfApi } from '../edge-api/src/folder.ts'
import { makeFolder } from './lib/folder.mjs'
import { nodeBinary, root } from './lib/setup.mjs'

/* Folders for data and copies: a place where nothing can be made is told at once, not never. */

const makers = [
  ['commands', makeFolder],
  ['the API', makeFolderOfApi],
] as const

test.each(makers)('a folder of %s is made with those above it, and again it is left as it is', (_, make) => {
  const top = mkdtempSync(path.join(tmpdir(), 'portal-folder-'))
  try {
    const folder = path.join(top, 'one', 'two')
    for (let times = 0; times < 2; times++) make(folder, 0o700)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(top)).toEqual(['one'])
  } finally {
    rmSync(top, { recursive: true })
  }
})

test.each(makers)('a file in the place of a folder of %s is told', (_, make) => {
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

const command = (args: string[], env: Record<string, string>) =>
  spawnSync(nodeBinary(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: WAIT_HANGS,
  })

// Node alone never comes back from making a folder here.
describe.skipIf(!existsSync('/proc/self'))('where nothing can be made', () => {
  test('the start says so before it builds, and ends', () => {
    const { status, stdout, stderr } = command(['scripts/start.mjs'], {
      DATABASE_URL: 'file:/proc/nope/portal.db',
    })
    // Nothing was built before.
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^\/proc\/nope cannot be written \(ENOENT\): [^\n]+\n$/)
    expect(status).toBe(1)
  })

  test('so does the copy of a database', () => {
    const top = mkdtempSync(path.join(tmpdir(), 'portal-folder-'))
    try {
      const database = path.join(top, 'portal.db')
      writeFileSync(database, '')
      const env = { DATABASE_URL: `file:${database}`, PAYMENT_DATABASE_URL: '' }
      const { status, stderr } = command(['edge-api/src/runtimes/backup.ts', '/proc/nope'], env)
      expect(stderr).toBe(
        "The copy could not be made: ENOENT: no such file or directory, mkdir '/proc/nope'\n",
      )
      expect(status).toBe(2)
    } finally {
      rmSync(top, { recursive: true })
    }
  })
})
