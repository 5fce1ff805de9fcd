// `npm run dev`: the API and the payment service on Deno, restarted when their sources change, and all apps with
// hot reload, all under one origin: http://localhost:4300. A micro-frontend alone: `npm run dev -w mfe-user`.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import path from 'node:path'
import { apps } from './lib/apps.mjs'
import { argumentsOf } from './lib/arguments.mjs'
import { nodeBinary, root, setUp, toolEnvironment } from './lib/setup.mjs'

const ORIGIN = 'http://localhost:4300'
/** What the servers are made of; the browser's code reloads by itself. */
const serverSources = [
  'edge-api/src',
  'packages/contract/src',
  'packages/fixtures/src',
  'packages/letter/src',
]
/** Editors write a file in several steps: one restart for all of them. */
const QUIET_MS = 300

argumentsOf('npm run dev\nOne micro-frontend alone, on mocks: npm run dev -w mfe-user')
await setUp()
const { startProcesses } = await import('./lib/portal.mjs')

const environment = {
  ...process.env,
  // Links in mails and letters, and the way back from the gateway, lead to the origin that the browser sees.
  PUBLIC_URL: process.env.PUBLIC_URL || ORIGIN,
}

let stopping = false
let servers
let restarting = Promise.resolve()

function startServers() {
  const current = startProcesses(environment)
  servers = current
  current.ready.then(
    plan => console.log(`the API answers on ${plan.url}`),
    error => !stopping && console.error(`${error.message}. Waiting for the next change.`),
  )
}

function restartServers() {
  restarting = restarting.then(async () => {
    if (stopping) return
    await servers.stop(0)
    startServers()
  })
}

function serveApp(app) {
  const rspack = path.join(root, 'node_modules', '@rspack', 'cli', 'bin', 'rspack.js')
  const args = [rspack, 'serve', '-c', '../rspack.config.ts', '--mode', 'development', '--env', `app=${app}`]
  const child = spawn(nodeBinary(), args, {
    cwd: path.join(root, app),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: toolEnvironment({ ...process.env, API_PORT: servers.plan.port }),
  })
  child.on('exit', code => {
    if (!stopping) {
      console.error(`${app}: its server ended with ${code}.`)
      void stop(1)
    }
  })
  return child
}

async function stop(code) {
  if (stopping) return
  stopping = true
  for (const child of children) child.kill('SIGTERM')
  await servers.stop(0)
  process.exit(code)
}

startServers()
const children = apps().map(({ name }) => serveApp(name))
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

let timer
for (const folder of serverSources) {
  watch(path.join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || /\.test\.ts$/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(restartServers, QUIET_MS)
  })
}
console.log(`the portal, with hot reload: ${ORIGIN}`)
