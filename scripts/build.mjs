// Builds the apps whose sources changed and publishes them: each micro-frontend as an immutable release, the shell next to
// them, and finally the pointer that makes them live. Releases made by command (scripts/releases.mjs) are not changed.
import path from 'node:path'
import { microFrontends } from './lib/apps.mjs'
import { root } from './lib/setup.mjs'
import { buildDue, whileBuilding } from './shipping/build-apps.mjs'
import { releasesFolder } from './shipping/folder.mjs'
import { pointerDamage } from './shipping/pointer.mjs'
import { publishRemote, publishShell, shellOf, stampOf } from './shipping/publish.mjs'
import { signingOf } from './shipping/signing.mjs'
import { pointAtSources, requireLiveFit } from './shipping/sources.mjs'

const folder = releasesFolder()
const remotes = microFrontends().map(({ name }) => name)

async function main() {
  const started = performance.now()
  const due = await whileBuilding(async () => {
    // If the pointer is damaged, published files are left unchanged: the portal continues to serve the last valid pointer.
    const damage = await pointerDamage(folder)
    if (damage !== undefined && (await shellOf(folder))) {
      console.error(
        `remotes.json is damaged (${damage}): nothing was built. The portal serves the last valid one; while it runs, \`npm run releases -- repair\` writes it back.`,
      )
      return []
    }
    // Hosts do not know the development key of this machine, so builds for them must be signed as in production.
    const production = process.argv.includes('--for-production') && { NODE_ENV: 'production' }
    const signing = signingOf({ ...process.env, ...production })
    const built = await buildDue({ folder, signing }, ['shell', ...remotes], process.argv.includes('--force'))
    const { has } = await stampOf(path.join(root, 'shell', 'dist'))
    if (built.due.includes('shell') && has) await requireLiveFit(folder, has)
    await Promise.all(
      built.due
        .filter(app => app !== 'shell')
        .map(app => publishRemote(folder, app, String(built.release[app]))),
    )
    if (built.due.includes('shell')) await publishShell(folder, String(built.release.shell))
    for (const note of await pointAtSources(folder, remotes, built.release, signing)) console.error(note)
    return built.due
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(due.length > 0 ? `built ${due.join(', ')} in ${seconds} s` : `nothing to build (${seconds} s)`)
}

main().catch(error => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
