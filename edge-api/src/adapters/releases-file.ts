import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** A file that the release commands write into the releases folder; read when it has changed. Undefined while there is none. */
export function releasesFile(folder: string, name: string): () => Promise<string | undefined> {
  const file = path.join(path.resolve(folder), name)
  let known = { state: '', text: undefined as string | undefined }
  return async () => {
    const info = await stat(file).catch(() => undefined)
    if (!info) return undefined
    const state = `${info.ino} ${info.size} ${info.mtimeMs}`
    if (state !== known.state) known = { state, text: await readFile(file, 'utf8') }
    return known.text
  }
}
