// Builds the apps whose sources changed. If sources change during a build, its result is discarded.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { nodeBinary, root, run, toolEnvironment } from '../lib/setup.mjs'
import { releaseIdOf } from '../release-id.mjs'
import { isTrusted } from './checks.mjs'
import { withLock } from './folder.mjs'
import { isPublishedRelease, shellOf } from './publish.mjs'

/** @typedef {{ folder: string, signing: import('./signing.mjs').Signing }} Context the releases folder, and the
 * signing keys that are accepted */

/**
 * Runs one build at a time, because concurrent ones would clear each other's `dist`.
 * @template T
 * @param {() => Promise<T>} work
 */
export const withBuildLock = work => withLock(path.join(root, '.tmp', 'building'), work)

/**
 * Builds these apps with turbo, which builds concurrently and uses its cache.
 * @param {readonly string[]} apps
 * @returns {Promise<number>} turbo's exit code
 */
function runTurbo(apps) {
  const turbo = path.join(root, 'node_modules', 'turbo', 'bin', 'turbo')
  const filters = apps.map(app => `--filter=./${app}`)
  const env = toolEnvironment({ TURBO_NO_UPDATE_NOTIFIER: '1' })
  return run(nodeBinary(), [turbo, 'run', 'build', ...filters, '--output-logs=errors-only'], { env })
}

/**
 * Builds these apps, each into its empty `dist`.
 * @param {readonly string[]} apps
 * @param {{ folder?: string, builder?: (apps: readonly string[]) => Promise<number> }} [options] for tests: the
 *   folder of the apps, and what builds them
 */
export async function build(apps, { folder = root, builder = runTurbo } = {}) {
  // Turbo restores files from its cache without removing others, which would otherwise become part of the release.
  await Promise.all(apps.map(app => rm(path.join(folder, app, 'dist'), { recursive: true, force: true })))
  const code = await builder(apps)
  if (code !== 0) throw new Error(`The build failed (turbo exited with ${code}); see its messages above.`)
}

/**
 * Returns whether this release of the app is published and can be reused.
 * @param {Context} context @param {string} app @param {string} release
 */
const isPublished = async (context, app, release) =>
  app === 'shell'
    ? (await shellOf(context.folder))?.release === release
    : isPublishedRelease(context.folder, app, release) && (await isTrusted(context, app, release))

/**
 * Builds the apps whose release is not published, each into its `dist`.
 * @param {Context} context
 * @param {readonly string[]} apps
 * @param {boolean} [forced] also those that are published
 * @returns {Promise<{ releases: Record<string, string>, built: string[] }>} the release of each app, and which were built
 */
export async function buildUnpublished(context, apps, forced = false) {
  const currentReleases = () => Object.fromEntries(apps.map(app => [app, releaseIdOf(app)]))
  const releases = currentReleases()
  const unpublished = []
  for (const [app, id] of Object.entries(releases)) {
    if (forced || !(await isPublished(context, app, id))) unpublished.push(app)
  }
  if (unpublished.length === 0) return { releases, built: [] }
  await build(unpublished)
  const newReleases = currentReleases()
  if (unpublished.every(app => newReleases[app] === releases[app])) return { releases, built: unpublished }
  console.error('The sources changed during the build; building again.')
  return buildUnpublished(context, apps, forced)
}
