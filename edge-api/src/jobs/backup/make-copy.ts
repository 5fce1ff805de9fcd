import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client'
import * as z from 'zod'
import { commandClient } from '../../db/command-client.ts'
import { makeFolder } from '../../folder.ts'
import { type Contents, findDifferences, listTables, readContents } from './contents.ts'
import { copyRows } from './copy-rows.ts'

/** The two databases that can be copied. */
export const subjects = ['portal', 'payments'] as const
export type Subject = (typeof subjects)[number]

/** Manifest of a copy, stored under the same name with the extension `.json`. */
export const manifest = z.object({
  format: z.literal(1),
  subject: z.enum(subjects),
  /** When the copy was started, in milliseconds since 1970. It contains everything committed by then. */
  at: z.number(),
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  tables: z.record(z.string(), z.number()),
  head: z.string().nullable(),
  faults: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifest>

export interface BackupOptions {
  /** Any libSQL URL. */
  url: string
  authToken?: string | undefined
  subject: Subject
  folder: string
  /** Milliseconds since 1970. */
  at: number
}

/** Tables whose rows are never deleted. A copy can contain more rows than when it was started, but never fewer. */
const PERMANENT_TABLES = [
  'payments',
  'ledger_entries',
  'letters',
  'activity_log',
  'transactions',
  'deliveries',
]

/**
 * Copies a database that may be in use, reads the whole copy to verify it, and stores it in `folder` with its manifest. A file
 * is copied by SQLite itself, consistently and without blocking writers; from a server, all rows are read in one transaction.
 * In both cases, the copy is a SQLite file.
 * @throws if the database has no tables, because an empty copy would count as a backup
 * @returns the manifest; the copy is valid if its `faults` are empty
 */
export async function takeBackup({ url, authToken, subject, folder, at }: BackupOptions): Promise<Manifest> {
  makeFolder(folder, 0o700)
  const name = `${subject}-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}.db`
  const draft = path.join(folder, `${name}.part`)
  await rm(draft, { force: true })
  const source = commandClient(url, authToken)
  try {
    if ((await listTables(source)).length === 0)
      throw new Error('The database has no tables. Is its URL correct?')
    const rowsBefore = await countPermanentRows(source)
    if (url.startsWith('file:')) await source.execute({ sql: 'vacuum into ?', args: [draft] })
    else await copyToFile(draft, source)
    const contents = await readCopy(draft)
    const lostTables = Object.entries(rowsBefore).filter(
      ([table, rows]) => (contents.tables[table] ?? 0) < rows,
    )
    const result: Manifest = {
      format: 1,
      subject,
      at,
      file: name,
      bytes: (await stat(draft)).size,
      sha256: await hashFile(draft),
      ...contents,
      faults: [
        ...contents.faults,
        ...lostTables.map(([table]) => `Rows of ${table} are missing from the copy.`),
      ],
    }
    await moveIntoPlace(draft, path.join(folder, name))
    await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`, {
      mode: 0o600,
    })
    return result
  } finally {
    source.close()
    await rm(draft, { force: true })
  }
}

async function countPermanentRows(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.execute("select name from sqlite_master where type = 'table'")
  const names = PERMANENT_TABLES.filter(name => rows.some(row => row.name === name))
  const counts = await Promise.all(names.map(name => client.execute(`select count(*) as rows from ${name}`)))
  return Object.fromEntries(names.map((name, index) => [name, Number(counts[index]?.rows[0]?.rows)]))
}

async function copyToFile(file: string, source: Client): Promise<void> {
  const copy = createClient({ url: `file:${file}` })
  try {
    await copyRows(source, copy)
  } finally {
    copy.close()
  }
}

/** Reads a whole copy, and returns a summary of its contents. @throws if it cannot be opened as a database */
export async function readCopy(file: string): Promise<Contents> {
  const client = createClient({ url: `file:${file}` })
  try {
    return await readContents(client)
  } finally {
    client.close()
  }
}

/** Returns the differences between a copy and its manifest, one sentence each. */
export async function findFaults(file: string, expected: Manifest): Promise<string[]> {
  if ((await hashFile(file)) !== expected.sha256) return ['The copy was changed after it was made.']
  const found = await readCopy(file)
  return [...expected.faults, ...found.faults, ...findDifferences(expected, found)]
}

/** Returns the SHA-256 hash of a file in hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Moves a finished file to its final path: synced to the disk, and readable only by the owner. */
export async function moveIntoPlace(draft: string, file: string): Promise<void> {
  const handle = await open(draft, 'r+')
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}
