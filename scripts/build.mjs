// Builds what changed and publishes it: each micro-frontend into its own immutable release folder, the shell beside
// them, and last the pointer that makes them live. What somebody shipped by hand (scripts/releases.mjs) stays as it is.
import path from 'node:path'
import { microFrontends } from './lib/apps.mjs'
import { root } from './lib/setup.mjs'
import { buildDue, whileBuilding } from './shipping/build-apps.mjs'
import { releasesFolder } from './shipping/folder.mjs'
import { pointerDamage } from './shipping/pointer.mjs'
import { publishRemote, publishShell, shellOf, stampOf } from './shipping/publish.mjs'
import { mustFitLive, pointAtSources } from './shipping/sources.mjs'

const folder = releasesFolder()
const remotes = microFrontends().map(({ name }) => name)

async function main() {
  const started = performance.now()
  const due = await whileBuilding(async () => {
    // What is published stays as it is: the portal serves the last good pointer.
    const damage = await pointerDamage(folder)
    if (damage !== undefined && (await shellOf(folder))) {
      console.error(
        `remotes.json is damaged (${damage}): nothing was built. The portal serves the last good one; once it runs, \`npm run releases -- repair\` writes that back.`,
      )
      return []
    }
    const built = await buildDue(folder, ['shell', ...remotes], process.argv.includes('--force'))
    const { has } = await stampOf(path.join(root, 'shell', 'dist'))
    if (built.due.includes('shell') && has) await mustFitLive(folder, has)
    await Promise.all(
      built.due
        .filter(app => app !== 'shell')
        .map(app => publishRemote(folder, app, String(built.release[app]))),
    )
    if (built.due.includes('shell')) await publishShell(folder, String(built.release.shell))
    for (const note of await pointAtSources(folder, remotes, built.release)) console.error(note)
    return built.due
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(due.length > 0 ? `built ${due.join(', ')} in ${seconds} s` : `nothing to build (${seconds} s)`)
}

main().catch(error => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
