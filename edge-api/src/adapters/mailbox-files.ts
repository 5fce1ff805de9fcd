import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import type { CapturingMailbox } from './mailbox-memory.ts'

const stored = z.object({
  id: z.string(),
  at: z.number(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})

/**
 * Name of a file, `{time}-{count}-{id}.json`: sorting by name sorts by time, so the newest files are found without opening any.
 */
const NAME = /^\d{15}-\d{8}-[0-9a-f-]{36}\.json$/

/**
 * Creates a mailbox that stores each captured mail as a JSON file, so that the links in it survive a restart. Mails must not be
 * stored in the database, which may contain only the hashes of link tokens.
 * @param capacity maximum number of mails; the oldest are deleted
 */
export function mailboxFiles(folder: string, capacity = 2000): CapturingMailbox {
  const cache = new Map<string, z.infer<typeof stored>>()
  let count = 0

  async function listFileNames(): Promise<string[]> {
    const entries = await readdir(folder).catch(() => [])
    return entries.filter(name => NAME.test(name)).sort((a, b) => (a < b ? 1 : -1))
  }

  async function read(name: string) {
    const cached = cache.get(name)
    if (cached) return cached
    // Skips a file that another process has deleted or that cannot be parsed.
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => undefined)
    const mail = text === undefined ? undefined : parse(text)
    if (mail) cache.set(name, mail)
    return mail
  }

  return {
    async add({ id, to, subject, text, html }, at) {
      if ((await listFileNames()).some(name => name.endsWith(`-${id}.json`))) return
      const mail = { id, at, to, subject, text, html }
      const order = String(count++).padStart(8, '0')
      const name = `${String(at).padStart(15, '0')}-${order}-${mail.id}.json`
      await mkdir(folder, { recursive: true })
      // Renames the file once it is complete, so that a reader never sees a partial one.
      const draft = path.join(folder, `${mail.id}.part`)
      await writeFile(draft, JSON.stringify(mail), { mode: 0o600 })
      await rename(draft, path.join(folder, name))
      if (count % 100 === 1) {
        for (const oldName of (await listFileNames()).slice(capacity)) {
          cache.delete(oldName)
          await unlink(path.join(folder, oldName)).catch(() => undefined)
        }
      }
    },
    async list(limit) {
      const mails = await Promise.all((await listFileNames()).slice(0, limit).map(read))
      return mails.filter(mail => mail !== undefined)
    },
  }
}

function parse(text: string): z.infer<typeof stored> | undefined {
  try {
    return stored.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
