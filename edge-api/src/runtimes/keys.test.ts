import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LETTER_KEY, OTHER_LETTER_KEY } from '../../test/letter-keys.ts'
import { createTestPorts } from '../../test/temporary-database.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { readLetterKeys } from '../environment-letter-keys.ts'
import { readKid } from '../letters/key-pairs.ts'
import { ensurePublicKeys, readSigningKey } from '../letters/keys.ts'

/* Runs `npm run keys` on a file database with the data of `npm start`, as an operator does. */

const script = path.join(import.meta.dirname, 'keys.ts')
let folder: string
let database: Database
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-keys-'))
  const client = createClient({ url: `file:${path.join(folder, 'portal.db')}`, timeout: 5000 })
  await migrate(client)
  database = openDatabase(client, { serialiseWrites: true })
  await writeFile(secretsFile(), JSON.stringify({ JWT_SECRET: 'stays', LETTER_SIGNING_KEY: LETTER_KEY }))
})
afterEach(async () => {
  database.close()
  await rm(folder, { recursive: true, force: true })
})

const secretsFile = () => path.join(folder, 'secrets.json')
const readStoredSecrets = async () => JSON.parse(await readFile(secretsFile(), 'utf8'))

function runKeys(args: readonly string[], variables: Record<string, string> = {}) {
  const { LETTER_SIGNING_KEY: _, ...rest } = process.env
  const env = { ...rest, DATABASE_URL: `file:${path.join(folder, 'portal.db')}`, ...variables }
  return new Promise<{ code: unknown; out: string }>(resolve => {
    execFile(process.execPath, [script, secretsFile(), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, out: stdout + stderr }),
    )
  })
}

/** Returns ports with the keys that the portal has after a restart. */
const portsWithKeys = (text: string) => ({ ...createTestPorts({ LETTER_SIGNING_KEY: text }) })

const readLog = async () => {
  const { rows } = await database.client.execute('select activity, details, user_id from activity_log')
  return rows.map(({ activity, details, user_id }) => ({ activity, details, user_id }))
}

test('lists, rotates and revokes the keys that npm start has stored, and logs both changes', {
  tags: ['DATA-32'],
}, async () => {
  const before = await readSigningKey(database, portsWithKeys(LETTER_KEY))
  const early = await runKeys(['revoke', before.kid])
  expect(early).toMatchObject({ code: 1, out: expect.stringContaining('is the key that signs') })

  const rotated = await runKeys(['rotate'])
  expect(rotated).toMatchObject({ code: 0, out: expect.stringContaining('Restart the portal') })
  const { JWT_SECRET, LETTER_SIGNING_KEY } = await readStoredSecrets()
  expect(JWT_SECRET).toBe('stays')
  expect((await stat(secretsFile())).mode & 0o777).toBe(0o600)
  const [first, second] = await Promise.all(readLetterKeys(LETTER_SIGNING_KEY).map(readKid))
  expect(second).toBe(before.kid)
  const listed = (await runKeys(['list'])).out
  expect(listed).toContain(`${first}  unused      signs`)
  expect(listed).toMatch(new RegExp(`^${before.kid}  \\d{4}-\\d{2}-\\d{2}  listed after the first`, 'm'))
  const after = await readSigningKey(database, portsWithKeys(LETTER_SIGNING_KEY))
  expect(after.kid).toBe(first)

  expect(await runKeys(['revoke', before.kid])).toMatchObject({ code: 0 })
  expect((await runKeys(['list'])).out).toMatch(new RegExp(`^${before.kid} .* revoked on`, 'm'))
  const text = (await readStoredSecrets()).LETTER_SIGNING_KEY
  expect(await Promise.all(readLetterKeys(text).map(readKid))).toEqual([first])
  const known = await ensurePublicKeys(database, portsWithKeys(text))
  expect(known.map(({ kid, revoked }) => ({ kid, revoked }))).toEqual(
    expect.arrayContaining([
      { kid: before.kid, revoked: true },
      { kid: first, revoked: false },
    ]),
  )
  expect(await readLog()).toEqual([
    { activity: 'Settings: letter key changed', details: first, user_id: null },
    { activity: 'Settings: letter key revoked', details: before.kid, user_id: null },
  ])
})

test('replaces the CA: the keys stay the same, and their new certificates come from another CA', {
  tags: ['DATA-32'],
}, async () => {
  expect(await runKeys(['replace-ca'])).toMatchObject({ code: 1, out: expect.stringContaining('no CA yet') })
  const before = await readSigningKey(database, portsWithKeys(LETTER_KEY))
  const { fingerprint256 } = new X509Certificate(before.issuer ?? '')
  expect((await runKeys(['list'])).out).toContain(`CA, certifies the keys\n  SHA-256 ${fingerprint256}\n`)
  expect(await runKeys(['replace-ca'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('letter-ca.pem'),
  })
  const after = await readSigningKey(database, portsWithKeys(LETTER_KEY))
  expect(after.kid).toBe(before.kid)
  expect(after.issuer).not.toEqual(before.issuer)
  expect(after.certificate).not.toEqual(before.certificate)
  const { out } = await runKeys(['list'])
  expect(out.match(/CA, .*/g)?.sort()).toEqual(['CA, certifies the keys', 'CA, replaced'])
  expect(await readLog()).toEqual([
    { activity: 'Settings: CA of letters replaced', details: expect.any(String), user_id: null },
  ])
})

test('with keys in the environment, shows what the operator must set, and changes no file', async () => {
  const before = await readStoredSecrets()
  const { out, code } = await runKeys(['rotate'], { LETTER_SIGNING_KEY: OTHER_LETTER_KEY })
  expect(code).toBe(0)
  const newKeyLine = out.trim().split('\n').at(-1) ?? ''
  const [first, second] = await Promise.all(readLetterKeys(`${newKeyLine},${OTHER_LETTER_KEY}`).map(readKid))
  expect(out).toContain(`Its name is ${first}`)
  expect(second).not.toBe(first)
  expect(await readStoredSecrets()).toEqual(before)
})

test('changes nothing if the command is invalid', async () => {
  expect(await runKeys(['show'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('Usage: npm run keys'),
  })
  expect(await runKeys(['revoke', 'nothing'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('no key'),
  })
  const folderWithoutDatabase = { DATABASE_URL: `file:${path.join(folder, 'none.db')}` }
  expect(await runKeys(['list'], folderWithoutDatabase)).toMatchObject({ code: 2 })
  expect(await readLog()).toEqual([])
})
