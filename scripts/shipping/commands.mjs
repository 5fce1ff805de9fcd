// The commands for published releases. Each of them checks first, and then updates the pointer once and adds a line to the log;
// if it refuses, nothing has changed. All take a context: the releases folder, the author of the command, and the signing keys.
import { rm } from 'node:fs/promises'
import { requireShellFit, requireUnchanged } from './checks.mjs'
import { findPreviousRelease, readLog, releasedEntry } from './log.mjs'
import { findPointerDamage, restorePointer, updatePointer, withoutCanary, withPointer } from './pointer.mjs'
import { isRunning, readPreviews } from './previews.mjs'
import { isPublishedRelease, pointerTo, releaseFolder } from './publish.mjs'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {import('./publish.mjs').Pointer} Pointer
 * @typedef {{ folder: string, by: string, signing: import('./signing.mjs').Signing }} Context
 */

/**
 * Returns the pointer's entry of a micro-frontend.
 * @param {readonly Pointer[]} remotes
 * @param {string} app
 * @throws {Refusal}
 */
function findLiveRelease(remotes, app) {
  const found = remotes.find(({ name }) => name === app)
  if (found) return found
  const names = remotes.map(({ name }) => name).join(', ')
  throw new Refusal(`${app} is not live here. Live: ${names || 'none yet'}.`)
}

/**
 * Makes the canary live for everyone.
 * @param {Context} context
 * @param {{ app: string }} options
 */
export function promote({ folder, by, signing }, { app }) {
  return updatePointer(folder, async remotes => {
    const liveRelease = findLiveRelease(remotes, app)
    const canaryEntry = releasedEntry(await readLog(folder), app, liveRelease.canary?.release)
    if (!liveRelease.canary || !canaryEntry)
      throw new Refusal(
        `${app} has no canary to promote. \`npm run release -w ${app} -- --canary 10\` starts one.`,
      )
    await signing.require(canaryEntry)
    await requireUnchanged(folder, canaryEntry)
    await requireShellFit(folder, { app, release: liveRelease.canary.release, needs: canaryEntry.needs })
    const entry = signing.sign(canaryEntry, liveRelease)
    const { release: id } = liveRelease.canary
    const shipment = {
      by,
      action: /** @type {const} */ ('promoted'),
      app,
      release: id,
      before: liveRelease.release ?? null,
      entry,
    }
    const result = [
      `${app} ${liveRelease.release} -> ${id}, for everyone`,
      `To roll back: npm run releases -- rollback ${app}`,
    ]
    return { remotes: withPointer(remotes, entry), shipments: [shipment], result }
  })
}

/**
 * Withdraws the canary. If there is none, or a release is named, returns to an earlier live release instead.
 * @param {Context} context
 * @param {{ app: string, to?: string | undefined }} options
 */
export function rollback({ folder, by, signing }, { app, to }) {
  return updatePointer(folder, async remotes => {
    const liveRelease = findLiveRelease(remotes, app)
    const { release: current = '', canary } = liveRelease
    if (canary && to === undefined) {
      const { release: id } = canary
      await signing.require(liveRelease)
      const shipment = {
        by,
        action: /** @type {const} */ ('canary withdrawn'),
        app,
        release: id,
        before: current,
      }
      const result = [`${app} ${id} withdrawn; everyone gets ${current}`]
      return {
        remotes: withPointer(remotes, signing.sign(withoutCanary(liveRelease), liveRelease)),
        shipments: [shipment],
        result,
      }
    }
    const log = await readLog(folder)
    const id = to ?? findPreviousRelease(log, app, current)
    if (id === undefined)
      throw new Refusal(
        `Nothing was live before ${app} ${current}. Name a release: \`npm run releases -- list ${app}\``,
      )
    if (id === current) throw new Refusal(`${app} ${id} is already live. Nothing was changed.`)
    const shippedEntry = releasedEntry(log, app, id)
    if (!shippedEntry && !isPublishedRelease(folder, app, id))
      throw new Refusal(`There is no ${app} ${id}. \`npm run releases -- list ${app}\` lists all releases.`)
    const targetEntry = shippedEntry ?? (await pointerTo(folder, app, id))
    await signing.require(targetEntry)
    await requireUnchanged(folder, targetEntry)
    await requireShellFit(folder, { app, release: id, needs: targetEntry.needs })
    // An older release can only become live with a new signature: the portal refuses signatures that are older than the last
    // one.
    const entry = signing.sign(targetEntry, liveRelease)
    const shipment = {
      by,
      action: /** @type {const} */ ('rolled back'),
      app,
      release: id,
      before: current,
      entry,
    }
    const result = [`${app} ${current} -> ${id}, for everyone`]
    return { remotes: withPointer(remotes, entry), shipments: [shipment], result }
  })
}

/**
 * Lets `npm start` manage a micro-frontend again.
 * @param {Context} context
 * @param {{ app: string }} options
 */
export function follow({ folder, by, signing }, { app }) {
  return updatePointer(folder, async remotes => {
    const liveRelease = findLiveRelease(remotes, app)
    const release = liveRelease.release ?? ''
    const shipment = { by, action: /** @type {const} */ ('followed'), app, release, before: release }
    const result = [`npm start manages ${app} again. Until the next start, ${release} stays live.`]
    if (!liveRelease.canary) return { remotes, shipments: [shipment], result }
    await signing.require(liveRelease)
    return {
      remotes: withPointer(remotes, signing.sign(withoutCanary(liveRelease), liveRelease)),
      shipments: [shipment],
      result,
    }
  })
}

/**
 * Signs the live release again, with the newest key. This is needed before an old key is removed, and after the folder was
 * restored from a backup.
 * @param {Context} context
 * @param {{ app: string }} options
 */
export function signAgain({ folder, by, signing }, { app }) {
  return updatePointer(folder, async remotes => {
    const liveRelease = findLiveRelease(remotes, app)
    await signing.require(liveRelease)
    await requireUnchanged(folder, liveRelease)
    const entry = signing.sign(liveRelease, liveRelease)
    const { release = '' } = entry
    const shipment = {
      by,
      action: /** @type {const} */ ('released'),
      app,
      release,
      before: release,
      entry: signing.sign(withoutCanary(liveRelease), liveRelease),
    }
    const result = [`${app} ${release} is signed with ${entry.signed?.by ?? 'no key'}`]
    return { remotes: withPointer(remotes, entry), shipments: [shipment], result }
  })
}

/**
 * Replaces a damaged pointer with the one that a portal serves.
 * @param {Context} context
 * @param {{ portal: string }} options
 */
export async function repair({ folder, signing }, { portal }) {
  if ((await findPointerDamage(folder)) === undefined)
    return ['remotes.json is not damaged: nothing to repair.']
  const response = await fetch(`${portal}/config/remotes.json`, { signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  )
  if (!response?.ok)
    throw new Refusal(
      `${portal} serves no valid remotes.json. Use --portal <address> for another portal, or a backup of the folder.`,
    )
  const text = await response.text()
  await restorePointer(folder, text, async remotes => {
    for (const entry of remotes) await signing.require(entry)
    for (const entry of remotes.filter(({ manifest }) => manifest.startsWith('/')))
      await requireUnchanged(folder, entry)
  })
  return [`remotes.json was restored from ${portal}. \`npm run releases -- list\` shows what is live.`]
}

/**
 * Deletes releases that are no longer needed (the rule is in `inventory.mjs`).
 * @param {Context} context
 * @param {{ old: readonly { app: string, release: string }[] }} options
 */
export function remove({ folder, by }, { old }) {
  return updatePointer(folder, async remotes => {
    const previews = (await readPreviews(folder)).filter(item => isRunning(item))
    // Since the list was made, one of the releases may have become live by a rollback, or a preview.
    const isIdle = ({ app, release: id }) =>
      [...remotes, ...previews].every(
        ({ name, release, canary }) => name !== app || (release !== id && canary?.release !== id),
      )
    const idleReleases = old.filter(isIdle)
    const shipments = idleReleases.map(({ app, release: id }) => ({
      by,
      action: /** @type {const} */ ('deleted'),
      app,
      release: id,
      before: null,
    }))
    for (const { app, release: id } of idleReleases)
      await rm(releaseFolder(folder, app, id), { recursive: true, force: true })
    return { remotes, shipments, result: idleReleases.map(({ app, release: id }) => `${app} ${id} deleted`) }
  })
}
