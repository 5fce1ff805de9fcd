import { Buffer } from 'node:buffer'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { toIsoDate } from '@portal/format/dates'
import { commandClient } from '../db/command-client.ts'
import { type Database, openDatabase, type Tx } from '../db/database.ts'
import { readLetterKey, splitLetterKeys } from '../environment-letter-keys.ts'
import { listAuthorities, retireAuthority } from '../letters/authority-store.ts'
import { readKid } from '../letters/key-pairs.ts'
import { type LetterKeyRow, listLetterKeys, revokeLetterKey } from '../letters/keys-store.ts'
import { recordLogEntry } from '../logs/store.ts'

/*
 * `npm run keys -- list | rotate | revoke <name> | replace-ca`. Exits with 1 if it refuses, and with 2 if it fails. Before
 * these arguments, `tools/keys.mjs` passes the file in which `npm start` stores the secrets that are not set in the environment.
 */

const { DATABASE_URL: url = 'file:.data/portal.db', DATABASE_AUTH_TOKEN: authToken } = process.env
const [secretsFile = '', command, name] = process.argv.slice(2)

function exitWith(code: number, message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}
const print = (line: string) => process.stdout.write(`${line}\n`)

interface ConfiguredKey {
  kid: string
  text: string
}

/** Returns the keys from the environment or, if it has none, those stored in the file. The first one signs. */
async function readConfiguredKeys(): Promise<ConfiguredKey[]> {
  const text = process.env.LETTER_SIGNING_KEY ?? readStoredSecrets().LETTER_SIGNING_KEY ?? ''
  return await Promise.all(
    splitLetterKeys(text).map(async key => ({ kid: await readKid(readLetterKey(key)), text: key })),
  )
}

const isStoredInFile = () => process.env.LETTER_SIGNING_KEY === undefined && existsSync(secretsFile)

function readStoredSecrets(): Record<string, string> {
  return isStoredInFile() ? JSON.parse(readFileSync(secretsFile, 'utf8')) : {}
}

function storeKeys(keys: readonly ConfiguredKey[]): void {
  const secrets = { ...readStoredSecrets(), LETTER_SIGNING_KEY: keys.map(({ text }) => text).join(',') }
  const temporaryFile = `${secretsFile}.${process.pid}`
  writeFileSync(temporaryFile, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporaryFile, secretsFile)
}

function describeKeyState(
  kid: string,
  row: LetterKeyRow | undefined,
  configured: readonly ConfiguredKey[],
): string {
  if (row?.revokedAt) return `revoked on ${toIsoDate(row.revokedAt)}: its signatures are no longer accepted`
  const position = configured.findIndex(key => key.kid === kid)
  if (position === 0) return 'signs'
  if (position > 0) return 'listed after the first: published, does not sign'
  return 'retired: letters that it signed remain valid'
}

async function list(database: Database): Promise<void> {
  const configured = await readConfiguredKeys()
  const rows = await listLetterKeys(database.read)
  for (const { kid } of configured)
    if (!rows.some(row => row.kid === kid))
      print(`${kid}  unused      ${describeKeyState(kid, undefined, configured)}`)
  for (const row of rows.toReversed())
    print(`${row.kid}  ${toIsoDate(row.createdAt)}  ${describeKeyState(row.kid, row, configured)}`)
  for (const { kid, createdAt, retiredAt, certificate } of await listAuthorities(database.read)) {
    print(`${kid}  ${toIsoDate(createdAt)}  CA, ${retiredAt ? 'replaced' : 'certifies the keys'}`)
    // People compare this fingerprint with that of the certificate that they have downloaded.
    if (!retiredAt)
      print(`  SHA-256 ${new X509Certificate(Buffer.from(certificate, 'base64')).fingerprint256}`)
  }
}

/** Records the change in the activity log, without a user. */
const recordActivity = (tx: Tx, activity: string, kid: string) =>
  recordLogEntry(tx, { userId: null, userEmail: null, activity, details: kid, at: Date.now() })

async function rotate(database: Database): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const kid = await readKid(readLetterKey(text))
  if (isStoredInFile()) storeKeys([{ kid, text }, ...(await readConfiguredKeys())])
  await database.write(tx => recordActivity(tx, 'Settings: letter key changed', kid))
  if (isStoredInFile()) print(`Restart the portal. ${kid} then signs new letters.`)
  else {
    print(
      'Put this key first in LETTER_SIGNING_KEY, followed by a comma and its current value, and restart the portal.',
    )
    print(`It is shown only once. Its name is ${kid}.`)
    print(text)
  }
}

async function revoke(database: Database): Promise<void> {
  const configured = await readConfiguredKeys()
  const rows = await listLetterKeys(database.read)
  const row = rows.find(({ kid }) => kid === name)
  if (!row) exitWith(1, `There is no key named ${name ?? ''}. To list the names: npm run keys -- list`)
  const { kid } = row
  if (row.revokedAt) exitWith(1, `${kid} was revoked on ${toIsoDate(row.revokedAt)}.`)
  if (configured[0]?.kid === kid)
    exitWith(
      1,
      `${kid} is the key that signs letters. Run npm run keys -- rotate and restart the portal first.`,
    )
  await database.write(async tx => {
    if (await revokeLetterKey(tx, { kid, now: Date.now() }))
      await recordActivity(tx, 'Settings: letter key revoked', kid)
  })
  const remainingKeys = configured.filter(key => key.kid !== kid)
  if (isStoredInFile() && remainingKeys.length < configured.length) storeKeys(remainingKeys)
  print(
    `${kid} is revoked: its signatures are no longer accepted. Letter holders must download their letters again.`,
  )
}

async function replaceCa(database: Database): Promise<void> {
  const current = (await listAuthorities(database.read)).find(({ retiredAt }) => retiredAt === null)
  if (!current) exitWith(1, 'There is no CA yet: it is created with the first letter.')
  await database.write(async tx => {
    if (await retireAuthority(tx, { kid: current.kid, now: Date.now() }))
      await recordActivity(tx, 'Settings: CA of letters replaced', current.kid)
  })
  print(`${current.kid} issues no more certificates. The next letter will be certified by a new CA.`)
  print('People who trust the CA in a PDF reader must then replace it with /.well-known/letter-ca.pem.')
}

const commands: Readonly<Record<string, (database: Database) => Promise<void>>> = {
  list,
  rotate,
  revoke,
  'replace-ca': replaceCa,
}
const runCommand = commands[command ?? '']
if (!runCommand) exitWith(1, 'Usage: npm run keys -- list | rotate | revoke <name> | replace-ca')
const file = /^file:(.+)$/.exec(url)?.[1]
// Opening a missing file would create an empty database.
if (file && !existsSync(file)) exitWith(2, `DATABASE_URL: there is no database at ${file}.`)
const client = commandClient(url, authToken)
try {
  await runCommand(openDatabase(client, { serialiseWrites: file !== undefined }))
} catch (error) {
  exitWith(2, `The command failed: ${error instanceof Error ? error.message : String(error)}`)
} finally {
  client.close()
}
