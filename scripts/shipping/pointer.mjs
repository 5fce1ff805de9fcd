// The one pointer, `remotes.json`: moved in one step, after the log has a line for it.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { damageOf } from '../../packages/contract/src/remotes-config.ts'
import { locked, writeWhole } from './folder.mjs'
import { appendLog, isByCommand, readLog } from './log.mjs'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {import('./publish.mjs').Pointer} Pointer
 * @typedef {Omit<import('./log.mjs').Shipment, 'id' | 'at'>} NewShipment
 */

/** @param {string} folder */
const fileOf = folder => path.join(folder, 'remotes.json')

/** @param {string} folder */
async function textOf(folder) {
  try {
    return await readFile(fileOf(folder), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Whether the log shows that there was a pointer. Its first lines are written before the first pointer, and `npm start`
 * makes again what it has built.
 * @param {string} folder
 */
async function wasThere(folder) {
  const log = await readLog(folder)
  return log.some(({ before }) => before) || log.filter(isByCommand).length > 1
}

/**
 * What is wrong with the pointer, in a sentence. That it is missing is, if there was one.
 * @param {string} folder of releases
 * @returns {Promise<string | undefined>}
 */
export async function pointerDamage(folder) {
  const text = await textOf(folder)
  if (text === undefined && !(await wasThere(folder))) return undefined
  return damageOf(text, [])
}

/**
 * The micro-frontends that the pointer names.
 * @param {string} folder of releases
 * @returns {Promise<Pointer[]>}
 * @throws {Refusal} where it is damaged: writing it again would drop what it no longer names
 */
export async function readPointer(folder) {
  const damage = await pointerDamage(folder)
  if (damage !== undefined)
    throw new Refusal(
      [
        `${fileOf(folder)} is damaged: ${damage}. Nothing was changed.`,
        'The portal keeps serving the last good one. `npm run releases -- repair` writes that back',
        '(docs/shipping.md, "A damaged pointer").',
      ].join('\n'),
    )
  return JSON.parse((await textOf(folder)) ?? '{"remotes":[]}').remotes
}

/**
 * Writes back the last good pointer over a damaged one.
 * @param {string} folder of releases
 * @param {string} text of the last good one
 * @param {(remotes: Pointer[]) => Promise<void>} check
 */
export function restorePointer(folder, text, check) {
  return locked(path.join(folder, '.moving'), async () => {
    const damage = damageOf(text, [])
    if (damage !== undefined) throw new Refusal(`What the portal serves is damaged too: ${damage}.`)
    await check(JSON.parse(text).remotes)
    await writeWhole(fileOf(folder), text, { durable: true })
  })
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
    const content = contentOf(remotes)
    // A build says of itself where it belongs and what it needs: that must not damage the file for all.
    const damage = damageOf(content, [])
    if (damage !== undefined)
      throw new Refusal(`remotes.json would be damaged by this: ${damage}. Nothing was changed.`)
    for (const shipment of shipments) await appendLog(folder, shipment)
    const before = await readFile(fileOf(folder), 'utf8').catch(() => undefined)
    if (before !== content) await writeWhole(fileOf(folder), content, { durable: true })
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
