// The one pointer, `remotes.json`: moved in one step, after the log has a line for it.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { locked, readJson, writeWhole } from './folder.mjs'
import { appendLog } from './log.mjs'

/**
 * @typedef {import('./publish.mjs').Pointer} Pointer
 * @typedef {Omit<import('./log.mjs').Shipment, 'id' | 'at'>} NewShipment
 */

/** @param {string} folder */
const fileOf = folder => path.join(folder, 'remotes.json')

/**
 * The micro-frontends that the pointer names.
 * @param {string} folder of releases
 * @returns {Promise<Pointer[]>}
 */
export async function readPointer(folder) {
  return (await readJson(fileOf(folder)))?.remotes ?? []
}

/** @param {readonly Pointer[]} remotes */
function contentOf(remotes) {
  const revision = createHash('sha256').update(JSON.stringify(remotes)).digest('hex').slice(0, 12)
  return `${JSON.stringify({ revision, api: '/api', remotes }, null, 2)}\n`
}

/**
 * Moves the pointer while nobody else does. `change` is given what it says, and gives back what it is to say and the
 * lines of the log for it. Without a change nothing is written.
 * @template T
 * @param {string} folder of releases
 * @param {(remotes: Pointer[]) => Promise<{ remotes: Pointer[], shipments: NewShipment[], result: T }>} change
 * @returns {Promise<T>}
 */
export function movePointer(folder, change) {
  return locked(path.join(folder, '.moving'), async () => {
    const { remotes, shipments, result } = await change(await readPointer(folder))
    for (const shipment of shipments) await appendLog(folder, shipment)
    const content = contentOf(remotes)
    const before = await readFile(fileOf(folder), 'utf8').catch(() => undefined)
    if (before !== content) await writeWhole(fileOf(folder), content)
    return result
  })
}

/**
 * The same pointers with one replaced, or added at the end.
 * @param {readonly Pointer[]} remotes
 * @param {Pointer} pointer
 * @returns {Pointer[]}
 */
export function withPointer(remotes, pointer) {
  const known = remotes.some(({ name }) => name === pointer.name)
  return known ? remotes.map(each => (each.name === pointer.name ? pointer : each)) : [...remotes, pointer]
}

/**
 * A pointer without its canary.
 * @param {Pointer} pointer
 * @returns {Pointer}
 */
export function withoutCanary({ canary: _, ...pointer }) {
  return pointer
}
