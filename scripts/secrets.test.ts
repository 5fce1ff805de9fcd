import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProcesses } from './lib/portal.mjs'
import { secretsFor } from './lib/secrets.mjs'

/* The secrets that are made and kept, and what is said where they cannot be. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('made once, then kept; what is given goes first', () => {
  const made = secretsFor({}, folder)
  expect(Object.values(made).every(secret => secret.length >= 32)).toBe(true)
  expect(secretsFor({ JWT_SECRET: 'given' }, folder)).toEqual({ ...made, JWT_SECRET: 'given' })
  expect(secretsFor({ NODE_ENV: 'production' }, folder)).toEqual({})
})

test('a damaged file is not replaced in silence: the key of letters is in it', () => {
  writeFileSync(path.join(folder, 'secrets.json'), '{')
  expect(() => secretsFor({}, folder)).toThrow('secrets.json is damaged. Bring it back from a copy')
})

test('a file that cannot be read is to be given to the user, not to be removed', () => {
  mkdirSync(path.join(folder, 'secrets.json'))
  expect(() => secretsFor({}, folder)).toThrow('secrets.json cannot be read (EISDIR): give it to the user')
})

test('a folder for data that cannot be made is named, with the variable', () => {
  writeFileSync(path.join(folder, 'file'), '')
  const DATABASE_URL = `file:${folder}/file/portal.db`
  expect(() => startProcesses({ DATABASE_URL })).toThrow(/file cannot be written \(EEXIST\).*DATABASE_URL/)
})
