// What `npm start` does to the pointer: it follows the sources, except where somebody ships by hand.
import { misfits } from '../../packages/contract/src/fit.ts'
import { followsSources, readLog } from './log.mjs'
import { movePointer, readPointer } from './pointer.mjs'
import { pointerTo } from './publish.mjs'
import { Refusal } from './refusal.mjs'

const BY = 'npm start'

/**
 * A shell that was just built must run what was shipped by hand, or nobody could open it any more.
 * @param {string} folder of releases
 * @param {import('@portal/contract/fit').Fit} has what the new shell has
 * @throws {Refusal} naming what it could not run
 */
export async function mustFitLive(folder, has) {
  const log = await readLog(folder)
  const shipped = (await readPointer(folder)).filter(({ name }) => !followsSources(log, name))
  const found = shipped.flatMap(({ name, canary, ...live }) =>
    [live, ...(canary ? [canary] : [])].flatMap(({ release, needs }) =>
      needs ? misfits(needs, has).map(misfit => `  ${name} ${release} ${misfit}`) : [],
    ),
  )
  if (found.length === 0) return
  throw new Refusal(
    [
      'The new shell could not run what was shipped by hand, so it was not published:',
      ...found,
      'Both must change at once: `npm run releases -- follow <micro-frontend>`, then start again.',
    ].join('\n'),
  )
}

/**
 * Points at what the sources make, of every app that nobody ships by hand.
 * @param {string} folder of releases
 * @param {readonly string[]} apps the micro-frontends of this checkout
 * @param {Record<string, string>} release of each, published
 * @returns {Promise<string[]>} notes on those that stay behind their sources
 */
export async function pointAtSources(folder, apps, release) {
  return movePointer(folder, async before => {
    const log = await readLog(folder)
    const known = new Map(before.map(pointer => [pointer.name, pointer]))
    const stays = name => known.has(name) && !followsSources(log, name)
    const made = await Promise.all(
      apps.map(app => known.get(stays(app) ? app : '') ?? pointerTo(folder, app, release[app] ?? '')),
    )
    // Shipped by a team whose sources are elsewhere.
    const others = before.filter(({ name }) => stays(name) && !apps.includes(name))
    const remotes = [...made, ...others]
    const shipments = made
      .filter(pointer => pointer.release !== known.get(pointer.name)?.release)
      .map(entry => ({
        by: BY,
        action: /** @type {const} */ ('built'),
        app: entry.name,
        release: entry.release ?? '',
        before: known.get(entry.name)?.release ?? null,
        entry,
      }))
    const behind = made.filter(({ name, release: live }) => live !== release[name])
    const result = behind.map(
      ({ name, release: live }) =>
        `${name} stays at ${live}, as it was shipped; its sources make ${release[name]}. \`npm run release -w ${name}\` ships them, \`npm run releases -- follow ${name}\` leaves it to npm start again.`,
    )
    return { remotes, shipments, result }
  })
}
