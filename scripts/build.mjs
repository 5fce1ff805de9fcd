// Builds the apps whose sources changed and publishes them: each micro-frontend as an immutable release, the shell next to
// them, and finally the pointer that makes them live. Releases that a command made live (scripts/releases.mjs) stay live.
import path from 'node:path'
import { microFrontends } from './lib/apps.mjs'
import { root } from './lib/setup.mjs'
import { buildUnpublished, withBuildLock } from './shipping/build-apps.mjs'
import { releasesFolder } from './shipping/folder.mjs'
import { findPointerDamage } from './shipping/pointer.mjs'
import { publishRemote, publishShell, shellOf, stampOf } from './shipping/publish.mjs'
import { signingOf } from './shipping/signing.mjs'
import { pointAtSources, requireLiveFit } from './shipping/sources.mjs'

const folder = releasesFolder()
const remotes = microFrontends().map(({ name }) => name)

async function main() {
  const started = performance.now()
  const builtApps = await withBuildLock(async () => {
    // If the pointer is damaged, published files are left unchanged: the portal continues to serve the last valid pointer.
    const damage = await findPointerDamage(folder)
    if (damage !== undefined && (await shellOf(folder))) {
      console.error(
        `remotes.json is damaged (${damage}): nothing was built. The portal serves the last valid one; while it runs, \`npm run releases -- repair\` restores it.`,
      )
      return []
    }
    // Hosts do not know the development key of this machine, so builds for them must be signed as in production.
    const production = process.argv.includes('--for-production') && { NODE_ENV: 'production' }
    const signing = signingOf({ ...process.env, ...production })
    const { releases, built } = await buildUnpublished(
      { folder, signing },
      ['shell', ...remotes],
      process.argv.includes('--force'),
    )
    const { has } = await stampOf(path.join(root, 'shell', 'dist'))
    if (built.includes('shell') && has) await requireLiveFit(folder, has)
    await Promise.all(
      built.filter(app => app !== 'shell').map(app => publishRemote(folder, app, String(releases[app]))),
    )
    if (built.includes('shell')) await publishShell(folder, String(releases.shell))
    for (const note of await pointAtSources(folder, remotes, releases, signing)) console.error(note)
    return built
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    builtApps.length > 0
      ? `built ${builtApps.join(', ')} in ${seconds} s`
      : `nothing to build (${seconds} s)`,
  )
}

main().catch(error => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
