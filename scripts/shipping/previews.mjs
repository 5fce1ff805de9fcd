// Previews of branches, which are stored in `previews.json` in the releases folder. They are signed entries for browsers that
// have opened the link of a preview. The pointer does not change.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PREVIEW_NAME, parsePreviews } from '../../packages/contract/src/remotes-config.ts'
import { withLock, writeAtomically } from './folder.mjs'
import { appendLog } from './log.mjs'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {import('./publish.mjs').Pointer} Pointer
 * @typedef {import('@portal/contract/remote').PreviewPointer} Preview
 * @typedef {import('./commands.mjs').Context} Context
 */

/** How many days a preview lasts: by default, and at most. */
export const PREVIEW_DAYS = 14
export const MAX_DAYS = 90
/** The maximum number of previews at the same time. */
const MAX_PREVIEWS = 100
const DAY_MS = 86_400_000

/** @param {string} folder of releases */
const previewsFile = folder => path.join(folder, 'previews.json')

/**
 * Returns all previews, including those that have ended.
 * @param {string} folder of releases
 */
export const readPreviews = async folder =>
  parsePreviews(await readFile(previewsFile(folder), 'utf8').catch(() => undefined))

/** @param {Preview} entry */
export const isRunning = ({ preview }, now = Date.now()) => preview.until > now

/**
 * Returns the name of a preview: the name of its branch, in a form that can be part of a command.
 * @param {string} text
 */
export function toPreviewName(text) {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
  if (PREVIEW_NAME.test(name)) return name
  throw new Refusal(`--preview ${text}: give the name of the branch, for example --preview faster-history.`)
}

/** @param {string} portal @param {Pick<Preview, 'preview'>} entry */
export const previewAddress = (portal, { preview }) => `${portal}/previews/${preview.token}`

/** @param {number} time */
export const formatDay = time => new Date(time).toISOString().slice(0, 10)

/**
 * Changes the previews and adds log lines, while holding the lock of the pointer.
 * @template T
 * @param {string} folder of releases
 * @param {(previews: Preview[]) => Promise<{ previews: Preview[], shipments: Parameters<typeof appendLog>[1][], result: T }>} change
 * @returns {Promise<T>}
 */
function changePreviews(folder, change) {
  return withLock(path.join(folder, '.moving'), async () => {
    const { previews, shipments, result } = await change(await readPreviews(folder))
    for (const shipment of shipments) await appendLog(folder, shipment)
    await writeAtomically(previewsFile(folder), `${JSON.stringify({ previews }, null, 2)}\n`, {
      durable: true,
    })
    return result
  })
}

/**
 * Makes a published release a preview. It replaces a preview of the same name, whose address it keeps.
 * @param {Context} context
 * @param {Pointer} unsignedEntry
 * @param {{ name: string, days: number, portal: string }} options
 */
export function makePreview({ folder, by, signing }, unsignedEntry, { name, days, portal }) {
  const { name: app, release = '' } = unsignedEntry
  return changePreviews(folder, async previews => {
    const isSamePreview = entry => entry.name === app && entry.preview.name === name
    const existing = previews.find(isSamePreview)
    const others = previews.filter(entry => !isSamePreview(entry))
    if (others.length >= MAX_PREVIEWS)
      throw new Refusal(
        `There are already ${MAX_PREVIEWS} previews: \`npm run releases -- clean\` removes those that have ended.`,
      )
    const token =
      existing && isRunning(existing) ? existing.preview.token : randomBytes(16).toString('base64url')
    const preview = { name, token, until: Date.now() + days * DAY_MS }
    // The signature also covers the preview's own data, so that the entry can never be used as the live one.
    const unsigned = /** @type {Preview} */ ({ ...unsignedEntry, preview })
    const entry = /** @type {Preview} */ (signing.sign(unsigned, existing))
    const shipment = {
      by,
      action: /** @type {const} */ ('preview'),
      app,
      release,
      before: null,
      entry,
      preview: name,
    }
    const result = [
      `${app} ${release} as preview ${name}, until ${formatDay(preview.until)}. Nothing changes for anyone else.`,
      previewAddress(portal, entry),
      `To end it: npm run releases -- end-preview ${app} ${name}`,
    ]
    return { previews: [...others, entry], shipments: [shipment], result }
  })
}

/**
 * Ends previews, for example those that have expired, or one by name. The command `clean` later deletes their releases.
 * @param {Context} context
 * @param {(entry: Preview) => boolean} shouldEnd
 */
export function endPreviews({ folder, by }, shouldEnd) {
  return changePreviews(folder, async previews => {
    const ended = previews.filter(shouldEnd)
    const shipments = ended.map(({ name: app, release = '', preview }) => ({
      by,
      action: /** @type {const} */ ('preview ended'),
      app,
      release,
      before: null,
      preview: preview.name,
    }))
    const result = ended.map(({ name, preview }) => `${name} preview ${preview.name} ended`)
    return { previews: previews.filter(entry => !shouldEnd(entry)), shipments, result }
  })
}
