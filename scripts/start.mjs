// `npm start` installs missing packages, builds what changed, starts the portal and the sandbox gateway, and prints one line
// when they respond. The portal migrates and seeds its database at startup.
import path from 'node:path'
import { argumentsOf } from './lib/arguments.mjs'
import { endWithParent, nodeBinary, root, run, setUp } from './lib/setup.mjs'

argumentsOf(`npm start
Configure it with environment variables, for example PORT=8090 PAYMENT_PORT=8091 npm start (docs/configuration.md).`)
await setUp()
const { makePrivateFolder, planOf, waitForPlanPorts, startProcesses } = await import('./lib/portal.mjs')

/**
 * Prints an error as a message without a stack trace, and exits.
 * @template T
 * @param {() => T | Promise<T>} work
 */
async function orExit(work) {
  try {
    return await work()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

// The ports are checked before the build, which can take a minute.
await orExit(async () => {
  const plan = planOf(process.env)
  makePrivateFolder(path.resolve(root, plan.folder))
  await waitForPlanPorts(plan)
})
const buildExit = await run(nodeBinary(), ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] })
if (buildExit !== 0) process.exit(buildExit)

// In a terminal, log lines of requests would hide the address.
const logging = process.stdout.isTTY ? { LOG_LEVEL: 'warn' } : {}
const portal = await orExit(() => startProcesses({ ...logging, ...process.env }))
process.on('SIGTERM', () => portal.stop(0))
process.on('SIGINT', () => portal.stop(0))
endWithParent(() => portal.stop(0))

portal.ready.then(
  plan => {
    // This is allowed for trials, but mails and letters will contain this address permanently.
    if (process.env.NODE_ENV === 'production' && !process.env.PUBLIC_URL)
      console.error(
        `PUBLIC_URL is not set: mails and letters contain ${plan.url}. Example: PUBLIC_URL=https://verify.example.org`,
      )
    console.log(`ready ${plan.url}`)
  },
  async error => {
    // If a process has ended, it has already printed the reason.
    if (!/ended before/.test(error.message)) console.error(error.message)
    await portal.stop(1)
  },
)
process.exit(await portal.ended)
