// `npm start`: installs what is missing, builds what changed, starts the portal and the sandbox gateway, and prints
// one line when they answer. The database migrates and seeds itself at start.
import { argumentsOf } from './lib/arguments.mjs'
import { endWithParent, nodeBinary, run, setUp } from './lib/setup.mjs'

argumentsOf(`npm start
What it starts with stands in variables, for example PORT=8090 PAYMENT_PORT=8091 npm start: README.md, "Settings".`)
await setUp()
const built = await run(nodeBinary(), ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] })
if (built !== 0) process.exit(built)

const { startProcesses } = await import('./lib/portal.mjs')
/** @type {ReturnType<typeof startProcesses>} */
let portal
try {
  portal = startProcesses(process.env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
process.on('SIGTERM', () => portal.stop(0))
process.on('SIGINT', () => portal.stop(0))
endWithParent(() => portal.stop(0))

portal.ready.then(
  plan => {
    // Allowed, for what it serves may be tried out so; mails and letters that people hold would be wrong for good.
    if (process.env.NODE_ENV === 'production' && !process.env.PUBLIC_URL)
      console.error(
        `PUBLIC_URL is not set: mails and letters lead people to ${plan.url}. Example: PUBLIC_URL=https://verify.example.org`,
      )
    console.log(`ready ${plan.url}`)
  },
  async error => {
    // A part that ended by itself has already said why.
    if (!/ended before/.test(error.message)) console.error(error.message)
    await portal.stop(1)
  },
)
process.exit(await portal.ended)
