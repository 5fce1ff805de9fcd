import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProcesses } from './lib/portal.mjs'
import { secretsFor } from './lib/secrets.mjs'

/* Tests how secrets are generated and stored, and the messages of errors. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('generates secrets once, prefers those of the environment, and generates none in production', () => {
  const generated = secretsFor({}, folder)
  expect(Object.values(generated).every(secret => secret.length >= 32)).toBe(true)
  expect(secretsFor({ JWT_SECRET: 'given' }, folder)).toEqual({ ...generated, JWT_SECRET: 'given' })
  expect(secretsFor({ NODE_ENV: 'production' }, folder)).toEqual({})
})

test('does not replace a damaged file of secrets, because it contains the letter key', () => {
  writeFileSync(path.join(folder, 'secrets.json'), '{')
  expect(() => secretsFor({}, folder)).toThrow('secrets.json is damaged. Restore it from a backup')
})

test('suggests changing the owner of an unreadable file, not removing it', () => {
  mkdirSync(path.join(folder, 'secrets.json'))
  expect(() => secretsFor({}, folder)).toThrow('secrets.json cannot be read (EISDIR): make the user')
})

test('names a data folder that cannot be created, with its variable', () => {
  writeFileSync(path.join(folder, 'file'), '')
  const DATABASE_URL = `file:${folder}/file/portal.db`
  expect(() => startProcesses({ DATABASE_URL })).toThrow(/file is not writable \(EEXIST\).*DATABASE_URL/)
})
