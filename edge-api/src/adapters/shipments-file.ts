import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Ports } from '../ports.ts'

/** The log that `npm run release` and `npm run releases` write into the releases folder; read when it has grown. */
export function fileShipments(folder: string): NonNullable<Ports['shipments']> {
  const file = path.join(path.resolve(folder), 'shipments.jsonl')
  let known = { state: '', text: undefined as string | undefined }
  return async () => {
    const info = await stat(file).catch(() => undefined)
    if (!info) return undefined
    const state = `${info.size} ${info.mtimeMs}`
    if (state !== known.state) known = { state, text: await readFile(file, 'utf8') }
    return known.text
  }
}
