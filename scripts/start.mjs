// `npm start`: installs what is missing, builds what changed, starts the portal and the sandbox gateway, and prints
// one line when they answer. The database migrates and seeds itself at start.
import { readFileSync } from 'node:fs'
import { nodeBinary, run, setUp } from './lib/setup.mjs'

await setUp()
const built = await run(nodeBinary(), ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] })
if (built !== 0) process.exit(built)

const { startProcesses } = await import('./lib/portal.mjs')
const portal = startProcesses(process.env)
process.on('SIGTERM', () => portal.stop(0))
process.on('SIGINT', () => portal.stop(0))
// When npm itself was killed nobody could end us any more, so we end with it.
const family = ancestors()
setInterval(() => ancestors() !== family && portal.stop(0), 500).unref()

portal.ready.then(
  plan => console.log(`ready ${plan.url}`),
  async error => {
    // A part that ended by itself has already said why.
    if (!/ended before/.test(error.message)) console.error(error.message)
    await portal.stop(1)
  },
)
process.exit(await portal.ended)

/** Our parent and, where it can be read, its parent: between npm and us may stand a shell. */
function ancestors() {
  try {
    return `${process.ppid} ${readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]}`
  } catch {
    return String(process.ppid)
  }
}
