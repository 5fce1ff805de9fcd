// `npm run release` builds, checks and publishes a release, for everyone or as a canary.
import path from 'node:path'
import { canaryMark } from '../../packages/contract/src/canary.ts'
import { root } from '../lib/setup.mjs'
import { hashSources } from '../release-id.mjs'
import { buildUnpublished, withBuildLock } from './build-apps.mjs'
import { isTrusted, requireApiFit, requireFiles, requireServed, requireShellFit } from './checks.mjs'
import { readJson } from './folder.mjs'
import { assertRuns, requireOwnPaths } from './module-check.mjs'
import { readPointer, updatePointer, withPointer } from './pointer.mjs'
import { makePreview } from './previews.mjs'
import { callsIn, isPublishedRelease, pointerTo, publishRemote, releaseFolder, stampOf } from './publish.mjs'
import { Refusal } from './refusal.mjs'
import { sri } from './sri.mjs'

/**
 * @typedef {import('./publish.mjs').Pointer} Pointer
 * @typedef {import('./commands.mjs').Context} Context
 */

/**
 * Returns the build to publish. It is made from the sources, or is a folder that was built elsewhere.
 * @param {Context} context
 * @param {string} app
 * @param {string | undefined} from
 * @returns {Promise<{ release: string, build: string }>} `build` is the release's folder if it is published
 */
async function resolveBuild(context, app, from) {
  const { folder } = context
  if (from !== undefined) {
    const build = path.resolve(root, from)
    const { app: builtApp, release = '' } = await stampOf(build)
    if (builtApp !== app || release === '')
      throw new Refusal(`${from} is not a build of ${app} (see its stamp.json).`)
    if (!isReleaseName(release))
      throw new Refusal(`The release name in ${from} is invalid: use letters, digits, dots and dashes.`)
    if (!isPublishedRelease(folder, app, release) || !(await isTrusted(context, app, release)))
      return { release, build }
    const published = releaseFolder(folder, app, release)
    if ((await hashOf(build)) !== (await hashOf(published)))
      throw new Refusal(
        `${app} ${release} was already published from another build. Choose another APP_VERSION.`,
      )
    return { release, build: published }
  }
  const { releases, built } = await buildUnpublished(context, [app])
  const id = releases[app] ?? ''
  const published = releaseFolder(folder, app, id)
  if (built.length > 0 || !isPublishedRelease(folder, app, id))
    return { release: id, build: path.join(root, app, 'dist') }
  if ((await stampOf(published)).sources !== hashSources(app))
    throw new Refusal(`${app} ${id} was already published from other sources. Choose another APP_VERSION.`)
  return { release: id, build: published }
}

/**
 * Returns whether this is a valid name for a release; it is used as a folder and in URLs.
 * @param {unknown} name
 */
const isReleaseName = name => typeof name === 'string' && /^\w[\w.-]{0,63}$/.test(name)

/**
 * Returns the hash of a build.
 * @param {string} build
 */
async function hashOf(build) {
  const manifest = await readJson(path.join(build, 'mf-manifest.json'))
  return sri(JSON.stringify(manifest ?? null))
}

/**
 * Returns a note for the user if other checkouts do not know some of these calls yet.
 * @param {import('../../tools/contract/description.ts').Description} calls of the release
 */
async function describeNewCalls(calls) {
  const { readReleasedApi } = await import('../../tools/contract/released.ts')
  const releasedCalls = readReleasedApi().calls
  const changed = Object.entries(calls.calls).filter(
    ([key, call]) => JSON.stringify(call) !== JSON.stringify(releasedCalls[key]),
  )
  if (changed.length === 0) return []
  return [
    `It makes ${changed.length} new or changed calls: run \`npm run contract -- keep\` and commit the result.`,
  ]
}

/**
 * Returns the address of a release's entry file.
 * @param {Pointer} entry @param {string} folder
 */
async function entryAddress({ manifest, name, release = '' }, folder) {
  const { metaData } = await readJson(path.join(releaseFolder(folder, name, release), 'mf-manifest.json'))
  return new URL(path.posix.join(metaData.remoteEntry.path, metaData.remoteEntry.name), manifest).href
}

/**
 * Checks that a release works in the dashboard, and that its paths do not belong to others.
 * @param {string} folder of releases
 * @param {string} build
 * @param {{ app: string, release: string, contract: number }} options
 */
async function requireWorkingModule(folder, build, options) {
  const paths = await assertRuns(build, options)
  const area = (await readJson(path.join(build, 'area.json')))?.path
  await requireOwnPaths(folder, { ...options, area, paths }, await readPointer(folder))
}

/**
 * @typedef {object} ReleaseOptions
 * @property {string} app
 * @property {number} [percent] of a canary
 * @property {readonly string[]} [accounts] IDs of accounts that get the canary, in addition to the percentage
 * @property {{ name: string, days: number }} [preview] of a branch, for anyone who has its link
 * @property {string} [from] a build that was made elsewhere
 * @property {string} [origin] that serves the release, if it is not the portal
 * @property {string} portal URL of the portal
 * @property {boolean} portalMustAnswer
 * @property {boolean} [dryRun] checks without publishing
 */

/**
 * Builds, checks and publishes a release, for everyone or as a canary.
 * @param {Context} context
 * @param {ReleaseOptions} options
 * @returns {Promise<string[]>} messages, one per line
 */
export function release(context, options) {
  const { folder } = context
  const { app, accounts = [], origin, portal, preview } = options
  const isCanary = options.percent !== undefined || accounts.length > 0
  if (app === 'mfe-public' && accounts.length > 0)
    throw new Refusal('Visitors of the landing page have no account: use --canary <percent>.')
  if (preview && isCanary) throw new Refusal('Use --preview without --canary: a preview has its own link.')
  const work = async () => {
    const { release: id, build } = await resolveBuild(context, app, options.from)
    requireFiles(build)
    const stamp = await stampOf(build)
    await requireShellFit(folder, { app, release: id, needs: stamp.needs })
    await requireWorkingModule(folder, build, { app, release: id, contract: stamp.needs?.contract ?? 0 })
    const calls = await callsIn(build)
    const apiNote = await requireApiFit(calls, {
      app,
      release: id,
      portal,
      mustAnswer: options.portalMustAnswer,
    })
    if (options.dryRun) return [apiNote, `${app} ${id} can be published. Nothing was published.`]
    if (build !== releaseFolder(folder, app, id)) await publishRemote(folder, app, id, build)
    const entry = await pointerTo(folder, app, id, origin)
    if (origin) await requireServed(entry, await entryAddress(entry, folder), new URL(portal).origin)
    if (preview) return [apiNote, ...(await makePreview(context, entry, { ...preview, portal }))]
    const messages = isCanary
      ? await makeCanary(context, entry, { percent: options.percent ?? 0, accounts })
      : await releaseToEveryone(context, entry)
    return [apiNote, ...messages, ...(options.from === undefined ? await describeNewCalls(calls) : [])]
  }
  return options.from === undefined ? withBuildLock(work) : work()
}

/**
 * Makes a published release live for everyone, unless it already is.
 * @param {Context} context
 * @param {Pointer} unsignedEntry
 */
function releaseToEveryone({ folder, by, signing }, unsignedEntry) {
  const { name: app, release: id = '' } = unsignedEntry
  return updatePointer(folder, async remotes => {
    const liveEntry = remotes.find(({ name }) => name === app)
    const isSigned =
      liveEntry !== undefined &&
      (await signing.require(liveEntry).then(
        () => true,
        () => false,
      ))
    if (liveEntry?.manifest === unsignedEntry.manifest && !liveEntry.canary && isSigned)
      return { remotes, shipments: [], result: [`${app} ${id} is already live: nothing to release.`] }
    const entry = signing.sign(unsignedEntry, liveEntry)
    const shipment = {
      by,
      action: /** @type {const} */ ('released'),
      app,
      release: id,
      before: liveEntry?.release ?? null,
      entry,
    }
    const result = [
      `${app} ${liveEntry?.release ?? 'nothing'} -> ${id}, for everyone`,
      ...(liveEntry ? [`To roll back: npm run releases -- rollback ${app}`] : []),
    ]
    return { remotes: withPointer(remotes, entry), shipments: [shipment], result }
  })
}

/**
 * Makes a published release the canary, next to the live release.
 * @param {Context} context
 * @param {Pointer} unsignedEntry
 * @param {{ percent: number, accounts: readonly string[] }} audience
 */
async function makeCanary({ folder, by, signing }, unsignedEntry, { percent, accounts }) {
  const { name: app, release: id = '', area: _, canary: __, ...location } = unsignedEntry
  const marks = await Promise.all(accounts.map(account => canaryMark(id, account)))
  return updatePointer(folder, async remotes => {
    const liveEntry = remotes.find(({ name }) => name === app)
    if (!liveEntry)
      throw new Refusal(`${app} is not live yet: its first release must be for everyone. Omit --canary.`)
    if (liveEntry.release === id)
      throw new Refusal(`${app} ${id} is already live for everyone. Nothing was changed.`)
    await signing.require(liveEntry)
    const canary = { ...location, release: id, percent, accounts: marks }
    const entry = signing.sign(unsignedEntry, liveEntry)
    const pointer = signing.sign({ ...liveEntry, canary }, liveEntry)
    const shipment = {
      by,
      action: /** @type {const} */ ('canary'),
      app,
      release: id,
      before: liveEntry.release ?? null,
      entry,
      percent,
      accounts: marks.length,
    }
    const result = [
      `${app} ${id} for ${audienceOf(percent, marks.length)}; everyone else keeps ${liveEntry.release}`,
      `For everyone: npm run releases -- promote ${app}`,
      `To withdraw:  npm run releases -- rollback ${app}`,
    ]
    return { remotes: withPointer(remotes, pointer), shipments: [shipment], result }
  })
}

/**
 * Returns a text about who gets a canary, such as "10% and 2 accounts".
 * @param {number} percent @param {number} accounts
 */
export const audienceOf = (percent, accounts) =>
  accounts === 0 ? `${percent}%` : `${percent}% and ${accounts} ${accounts === 1 ? 'account' : 'accounts'}`
