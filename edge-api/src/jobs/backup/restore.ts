import { existsSync } from 'node:fs'
import { copyFile, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { commandClient } from '../../db/command-client.ts'
import { openDatabase } from '../../db/database.ts'
import { makeFolder } from '../../folder.ts'
import { recordLogEntry } from '../../logs/store.ts'
import { findDifferences, listTables, readContents } from './contents.ts'
import { copyRows } from './copy-rows.ts'
import { readErasures, scheduleErasures } from './erasures.ts'
import { findFaults, type Manifest, manifest, moveIntoPlace, readCopy } from './make-copy.ts'

/** Thrown to stop a restore before anything has been changed. `message` gives the reason, and what to do. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
}

export interface RestoreOptions {
  /** Path of the copy; its manifest is in the same folder. */
  file: string
  /** Any libSQL URL. */
  url: string
  authToken?: string | undefined
  /** True to replace the database even if it has newer content. */
  force: boolean
  now: number
}

export interface RestoreResult {
  manifest: Manifest
  /** Path to which the previous database was moved; undefined if there was none. */
  previousFile: string | undefined
  /** Number of accounts erased after the copy was made, which the portal will erase again. */
  erasures: number
}

/** Returns the manifest of a copy. @throws RestoreRefused if it has none */
export async function readManifest(file: string): Promise<Manifest> {
  try {
    return manifest.parse(JSON.parse(await readFile(`${file}.json`, 'utf8')))
  } catch {
    throw new RestoreRefused(`${file} is not a backup, or its manifest ${file}.json is missing.`)
  }
}

/**
 * Replaces a database with a copy. The whole copy is verified first, and the restored database afterwards. A previous file is
 * kept under another name; a server must be empty. Sessions and mailed links in the copy do not become valid again, and
 * accounts that were erased after the copy was made are erased again.
 * @throws RestoreRefused if the copy is damaged, or the database is in use or has newer content
 */
export async function restore({ file, url, authToken, force, now }: RestoreOptions): Promise<RestoreResult> {
  const expected = await readManifest(file)
  const faults = await findFaults(file, expected).catch((cause: unknown) => [`It cannot be read: ${cause}.`])
  if (faults.length > 0) throw new RestoreRefused(`${file} is damaged. ${faults.join(' ')}`)
  const target = /^file:(.+)$/.exec(url)?.[1]
  const previousFile = target
    ? await restoreFile(file, target, expected, { force, now })
    : await restoreServer(file, { url, authToken }, expected)
  const client = commandClient(url, authToken)
  try {
    await endSessions(client, expected, now)
    const pastErasures = previousFile ? await readErasures(previousFile) : undefined
    const erasures = pastErasures ? await scheduleErasures(client, pastErasures) : 0
    return { manifest: expected, previousFile, erasures }
  } finally {
    client.close()
  }
}

async function restoreFile(
  file: string,
  target: string,
  expected: Manifest,
  { force, now }: { force: boolean; now: number },
): Promise<string | undefined> {
  const draft = `${target}.restoring`
  const targetExists = existsSync(target)
  if (targetExists) await requireReplaceable(target, expected, force)
  makeFolder(path.dirname(target))
  await copyFile(file, draft)
  try {
    const problems = findDifferences(expected, await readCopy(draft))
    if (problems.length > 0) throw new RestoreRefused(`The copy is incomplete. ${problems.join(' ')}`)
    const previousFile = targetExists
      ? `${target}.before-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`
      : undefined
    // The journal must be moved too; otherwise it would be replayed into the restored file.
    for (const journal of ['-wal', '-shm'])
      if (previousFile && existsSync(target + journal)) await rename(target + journal, previousFile + journal)
    if (previousFile) await rename(target, previousFile)
    await moveIntoPlace(draft, target)
    return previousFile
  } finally {
    await rm(draft, { force: true })
  }
}

/** Requires that a database may be replaced: it is not open, and has no content that the copy lacks. */
async function requireReplaceable(target: string, { at }: Manifest, force: boolean): Promise<void> {
  const client = createClient({ url: `file:${target}` })
  try {
    const newest = await findNewestTime(client)
    if (newest > at && !force)
      throw new RestoreRefused(
        `${target} contains data written at ${new Date(newest).toISOString()}, after the copy of ${new Date(at).toISOString()} was made. To replace it anyway, add --force.`,
      )
    // Leaving WAL mode requires exclusive access, so it fails if the database is in use. It also copies the journal into the
    // file.
    await client.execute('pragma journal_mode = delete')
  } catch (cause) {
    if (cause instanceof RestoreRefused) throw cause
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (/BUSY|LOCKED/.test(code)) throw new RestoreRefused(`${target} is in use. Stop the portal first.`)
    // A database that is too damaged to be read may be replaced.
    if (!/NOTADB|CORRUPT/.test(code)) throw cause
  } finally {
    client.close()
  }
}

/**
 * Returns the time of the last write to the portal's or the payment service's database, in milliseconds since 1970, or 0 if
 * there was none.
 */
async function findNewestTime(client: Client): Promise<number> {
  const names = await listTables(client)
  const columns = [
    ['activity_log', 'at'],
    ['payments', 'updated_at'],
    ['transactions', 'updated_at'],
  ] as const
  let newest = 0
  for (const [table, column] of columns) {
    if (!names.includes(table)) continue
    const { rows } = await client.execute(`select max(${column}) as at from ${table}`)
    newest = Math.max(newest, Number(rows[0]?.at ?? 0))
  }
  return newest
}

async function restoreServer(
  file: string,
  { url, authToken }: Pick<RestoreOptions, 'url' | 'authToken'>,
  expected: Manifest,
): Promise<undefined> {
  const copy = createClient({ url: `file:${file}` })
  const target = commandClient(url, authToken)
  try {
    if ((await listTables(target)).length > 0)
      throw new RestoreRefused(
        'The server already holds a database. Restore into a new one, then point DATABASE_URL there.',
      )
    await copyRows(copy, target)
    const found = await readContents(target)
    const problems = [...found.faults, ...findDifferences(expected, found)]
    if (problems.length > 0) throw new Error(`The restored database is incomplete. ${problems.join(' ')}`)
  } finally {
    copy.close()
    target.close()
  }
}

/**
 * Deletes all sessions and mailed links: sessions that have ended since the copy, and links that have been used since, would
 * otherwise be valid again. Also records the restore in the activity log.
 */
async function endSessions(client: Client, { at }: Manifest, now: number): Promise<void> {
  const names = await listTables(client)
  for (const table of ['sessions', 'mail_tokens', 'checkout_sessions'])
    if (names.includes(table)) await client.execute(`delete from ${table}`)
  if (!names.includes('activity_log')) return
  await openDatabase(client, { serialiseWrites: true }).write(tx =>
    recordLogEntry(tx, {
      userId: null,
      userEmail: null,
      activity: 'Database restored',
      details: `As of ${new Date(at).toISOString()}`,
      at: now,
    }),
  )
}
