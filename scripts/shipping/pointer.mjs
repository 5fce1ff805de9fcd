// The pointer, `remotes.json`. A change is first written to the log; then the file is replaced atomically.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { findConfigProblem } from '../../packages/contract/src/remotes-config.ts'
import { withLock, writeAtomically } from './folder.mjs'
import { appendLog, isByCommand, readLog } from './log.mjs'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {import('./publish.mjs').Pointer} Pointer
 * @typedef {Omit<import('./log.mjs').Shipment, 'id' | 'at'>} NewShipment
 */

/** @param {string} folder */
const pointerFile = folder => path.join(folder, 'remotes.json')

/** @param {string} folder */
async function readPointerText(folder) {
  try {
    return await readFile(pointerFile(folder), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Returns whether the log shows that there was a pointer. The first lines of a log are older than the first pointer, and `npm
 * start` creates the pointer to its own builds again.
 * @param {string} folder
 */
async function hasExisted(folder) {
  const log = await readLog(folder)
  return log.some(({ before }) => before) || log.filter(isByCommand).length > 1
}

/**
 * Returns how the pointer is damaged, or undefined if it is not. A missing pointer is damaged if the log shows that there was
 * one.
 * @param {string} folder of releases
 * @returns {Promise<string | undefined>}
 */
export async function findPointerDamage(folder) {
  const text = await readPointerText(folder)
  if (text === undefined && !(await hasExisted(folder))) return undefined
  return findConfigProblem(text, [])
}

/**
 * Returns the entries of the pointer, one for each micro-frontend.
 * @param {string} folder of releases
 * @returns {Promise<Pointer[]>}
 * @throws {Refusal} if it is damaged, because rewriting it would drop entries
 */
export async function readPointer(folder) {
  const damage = await findPointerDamage(folder)
  if (damage !== undefined)
    throw new Refusal(
      [
        `${pointerFile(folder)} is damaged: ${damage}. Nothing was changed.`,
        'The portal keeps serving the last valid one. `npm run releases -- repair` restores it',
        '(docs/shipping.md, "A damaged pointer").',
      ].join('\n'),
    )
  return JSON.parse((await readPointerText(folder)) ?? '{"remotes":[]}').remotes
}

/**
 * Replaces a damaged pointer with the last valid one.
 * @param {string} folder of releases
 * @param {string} text of the last valid one
 * @param {(remotes: Pointer[]) => Promise<void>} check
 */
export function restorePointer(folder, text, check) {
  return withLock(path.join(folder, '.moving'), async () => {
    const damage = findConfigProblem(text, [])
    if (damage !== undefined)
      throw new Refusal(`The pointer that the portal serves is damaged too: ${damage}.`)
    await check(JSON.parse(text).remotes)
    await writeAtomically(pointerFile(folder), text, { durable: true })
  })
}

/**
 * Returns the content of a pointer with these entries.
 * @param {readonly Pointer[]} remotes
 */
function contentOf(remotes) {
  const revision = createHash('sha256').update(JSON.stringify(remotes)).digest('hex').slice(0, 12)
  return `${JSON.stringify({ revision, api: '/api', remotes }, null, 2)}\n`
}

/**
 * Updates the pointer while holding its lock. `change` receives the current entries and returns the new ones with their log
 * lines. If nothing changed, nothing is written.
 * @template T
 * @param {string} folder of releases
 * @param {(remotes: Pointer[]) => Promise<{ remotes: Pointer[], shipments: NewShipment[], result: T }>} change
 * @returns {Promise<T>}
 */
export function updatePointer(folder, change) {
  return withLock(path.join(folder, '.moving'), async () => {
    const { remotes, shipments, result } = await change(await readPointer(folder))
    const content = contentOf(remotes)
    // The metadata of one build may be invalid; it must not damage the pointer for the others.
    const damage = findConfigProblem(content, [])
    if (damage !== undefined)
      throw new Refusal(`This would damage remotes.json: ${damage}. Nothing was changed.`)
    for (const shipment of shipments) await appendLog(folder, shipment)
    const before = await readFile(pointerFile(folder), 'utf8').catch(() => undefined)
    if (before !== content) await writeAtomically(pointerFile(folder), content, { durable: true })
    return result
  })
}

/**
 * Returns the entries with one of them replaced or, if it is new, appended.
 * @param {readonly Pointer[]} remotes
 * @param {Pointer} pointer
 * @returns {Pointer[]}
 */
export function withPointer(remotes, pointer) {
  const isKnown = remotes.some(({ name }) => name === pointer.name)
  return isKnown
    ? remotes.map(remote => (remote.name === pointer.name ? pointer : remote))
    : [...remotes, pointer]
}

/**
 * Returns an entry without its canary.
 * @param {Pointer} pointer
 * @returns {Pointer}
 */
export function withoutCanary({ canary: _, ...pointer }) {
  return pointer
}
