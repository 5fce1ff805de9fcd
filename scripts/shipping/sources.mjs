// Updates the pointer for `npm start`, so that the live releases are those of the sources, except for micro-frontends that are
// released by command.
import { incompatibilities } from '../../packages/contract/src/compatibility.ts'
import { requiresSignatures } from '../../packages/contract/src/teams.ts'
import { isManagedByNpmStart, readLog } from './log.mjs'
import { readPointer, updatePointer } from './pointer.mjs'
import { pointerTo } from './publish.mjs'
import { Refusal } from './refusal.mjs'

const RELEASED_BY = 'npm start'

/**
 * Checks that a new shell can run the live releases that were made by command.
 * @param {string} folder of releases
 * @param {import('@portal/contract/compatibility').Compatibility} has the packages of the new shell
 * @throws {Refusal} listing the releases that it cannot run
 */
export async function requireLiveFit(folder, has) {
  const log = await readLog(folder)
  const shipped = (await readPointer(folder)).filter(({ name }) => !isManagedByNpmStart(log, name))
  const problems = shipped.flatMap(({ name, canary, ...live }) =>
    [live, ...(canary ? [canary] : [])].flatMap(({ release, needs }) =>
      needs ? incompatibilities(needs, has).map(problem => `  ${name} ${release} ${problem}`) : [],
    ),
  )
  if (problems.length === 0) return
  throw new Refusal(
    [
      'The new shell cannot run these releases, so it was not published:',
      ...problems,
      'Release both together: `npm run releases -- follow <micro-frontend>`, then start again.',
    ].join('\n'),
  )
}

/**
 * Updates the pointer to the release that was built of each app, unless the app is released by command.
 * @param {string} folder of releases
 * @param {readonly string[]} apps the micro-frontends of this checkout
 * @param {Record<string, string>} releases of each, published
 * @param {import('./signing.mjs').Signing} signing
 * @returns {Promise<string[]>} notes about apps whose live release differs from their sources
 */
export async function pointAtSources(folder, apps, releases, signing) {
  return updatePointer(folder, async before => {
    const log = await readLog(folder)
    const currentEntries = new Map(before.map(pointer => [pointer.name, pointer]))
    const mustSign = requiresSignatures(signing.trust)
    const lacksKey = name => mustSign && signing.keyFor(name) === undefined
    const staysLive = name => currentEntries.has(name) && (!isManagedByNpmStart(log, name) || lacksKey(name))
    const updated = await Promise.all(
      apps.map(async app => {
        const live = currentEntries.get(app)
        if (live && staysLive(app)) return live
        const { signed, signature, ...built } = signing.sign(
          await pointerTo(folder, app, releases[app] ?? ''),
          live,
        )
        const isSame =
          live &&
          JSON.stringify(built) === JSON.stringify({ ...live, signed: undefined, signature: undefined })
        const isAccepted =
          isSame &&
          (!signed || live.signed?.by === signed.by) &&
          (await signing.require(live).then(
            () => true,
            () => false,
          ))
        return isAccepted ? live : { ...built, ...(signed && { signed, signature }) }
      }),
    )
    // These micro-frontends belong to other teams; their sources are not in this checkout.
    const otherPointers = before.filter(({ name }) => staysLive(name) && !apps.includes(name))
    const remotes = [...updated, ...otherPointers]
    const shipments = updated
      .filter(pointer => pointer.release !== currentEntries.get(pointer.name)?.release)
      .map(entry => ({
        by: RELEASED_BY,
        action: /** @type {const} */ ('built'),
        app: entry.name,
        release: entry.release ?? '',
        before: currentEntries.get(entry.name)?.release ?? null,
        entry,
      }))
    const outdated = updated.filter(({ name, release: live }) => live !== releases[name])
    const result = outdated.map(({ name, release: live }) =>
      lacksKey(name)
        ? `${name}: ${live} stays live, because its team's key is not available here. Its team releases it.`
        : `${name}: ${live} stays live, although the sources build ${releases[name]}. \`npm run release -w ${name}\` releases them; \`npm run releases -- follow ${name}\` lets npm start manage it again.`,
    )
    return { remotes, shipments, result }
  })
}
