import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Returns a reader of a file that the release commands write into the releases folder. It reads the file again only
 * after a change, and returns undefined while there is no file.
 */
export function releasesFile(folder: string, name: string): () => Promise<string | undefined> {
  const file = path.join(path.resolve(folder), name)
  let cached = { state: '', text: undefined as string | undefined }
  return async () => {
    const info = await stat(file).catch(() => undefined)
    if (!info) return undefined
    const state = `${info.ino} ${info.size} ${info.mtimeMs}`
    if (state !== cached.state) cached = { state, text: await readFile(file, 'utf8') }
    return cached.text
  }
}
