import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { subjects } from './make-copy.ts'

const NAME = new RegExp(
  `^(${subjects.join('|')})-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z\\.db(\\.json|\\.part)?$`,
)

/**
 * Parses the name of a copy; `at` is when the copy was started, in milliseconds since 1970.
 * @returns undefined for other files
 */
function parseName(name: string): { subject: string; at: number; extension: string } | undefined {
  const [, subject, year, month, day, hour, minute, second, extension = ''] = NAME.exec(name) ?? []
  if (!subject) return undefined
  return { subject, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`), extension }
}

/**
 * Removes copies that were started before a time, with their manifests, and incomplete files left by stopped processes. The
 * newest complete copy of each database is kept, however old it is.
 * @returns the number of removed files
 */
export async function removeOldCopies(folder: string, before: number): Promise<number> {
  const files = (await readdir(folder).catch(() => [])).flatMap(name => {
    const parsed = parseName(name)
    return parsed ? [{ name, ...parsed }] : []
  })
  const newestCompleteAt = (subject: string) =>
    Math.max(
      ...files.filter(file => file.subject === subject && file.extension === '.json').map(({ at }) => at),
    )
  const oldFiles = files.filter(({ at, subject }) => at < before && at !== newestCompleteAt(subject))
  for (const { name } of oldFiles) await rm(path.join(folder, name), { force: true })
  return oldFiles.length
}
