// `npm run dev` runs the API and the payment service on Deno, restarted when their sources change, and all apps with hot
// reload, under one origin: http://localhost:4300. `npm run dev -w mfe-user` runs one micro-frontend standalone instead. HOST
// sets the address of all servers. If a port is in use, for example by another checkout, all ports increase by a hundred.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import path from 'node:path'
import { apps } from './lib/apps.mjs'
import { argumentsOf, exitWithUsage } from './lib/arguments.mjs'
import { freePortsOf, stopAll } from './lib/processes.mjs'
import { endWithParent, nodeBinary, root, setUp, toolEnvironment } from './lib/setup.mjs'

/** Source folders of the servers. Browser code is not among them, because the development server reloads it. */
const serverSources = [
  'edge-api/src',
  'packages/contract/src',
  'packages/fixtures/src',
  'packages/letter/src',
]
/** How long to wait for further changes before a restart, in milliseconds: editors write a file in several steps. */
const QUIET_MS = 300

const USAGE = 'npm run dev\nOne micro-frontend standalone on mocks: npm run dev -w mfe-user'
argumentsOf(USAGE)
await setUp()
const { listensEverywhere, urlHost, planOf, startProcesses } = await import('./lib/portal.mjs')

const { host, browserHost } = planOf(process.env)
const ports = await freePortsOf(apps(), host).catch(error => exitWithUsage(error.message, USAGE))
const origin = `http://${browserHost}:${ports.get('shell')}`

const environment = {
  ...process.env,
  // Links in mails and letters and the gateway's return URL use the origin that the browser sees.
  PUBLIC_URL: process.env.PUBLIC_URL || origin,
}

let isStopping = false
/** @type {ReturnType<typeof startProcesses>} */
let servers
let restarting = Promise.resolve()
/** The parts that have not responded or been compiled yet: the API and each app. The portal is ready when none remains. */
const pendingParts = new Set(['the API', ...ports.keys()])

function markReady(part) {
  if (pendingParts.delete(part) && pendingParts.size === 0) console.log(`ready ${origin}`)
}

function startServers() {
  const current = startProcesses(environment)
  servers = current
  current.ready.then(
    () => markReady('the API'),
    error => {
      if (isStopping) return
      console.error(error.message)
      // Nothing was started, because a port is in use, and a change of the sources would not free it.
      if (!current.children.portal) return stop(1)
      console.error('The API waits for the next change.')
    },
  )
}

function restartServers() {
  restarting = restarting.then(async () => {
    if (isStopping) return
    await servers.stop(0)
    startServers()
  })
}

function serveApp(app) {
  const rspack = path.join(root, 'node_modules', '@rspack', 'cli', 'bin', 'rspack.js')
  const args = [rspack, 'serve', '-c', '../rspack.config.ts', '--mode', 'development', '--env', `app=${app}`]
  const child = spawn(nodeBinary(), args, {
    cwd: path.join(root, app),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: toolEnvironment({
      ...environment,
      DEV_HOST: host,
      DEV_PORT: String(ports.get(app)),
      API_PORT: servers.plan.port,
      OTHERS_HOST: listensEverywhere(host) ? '127.0.0.1' : urlHost(host),
      OTHERS_PORTS: JSON.stringify(Object.fromEntries(ports)),
    }),
  })
  child.stdout.on('data', chunk => {
    process.stdout.write(chunk)
    if (/compiled/.test(String(chunk))) markReady(app)
  })
  child.on('exit', code => {
    if (!isStopping) {
      console.error(`${app}: its server exited with ${code}.`)
      void stop(1)
    }
  })
  return child
}

async function stop(code) {
  if (isStopping) return
  isStopping = true
  await Promise.all([stopAll(children), servers.stop(0)])
  process.exit(code)
}

startServers()
const children = apps().map(({ name }) => serveApp(name))
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))
process.on('SIGHUP', () => void stop(0))
// npm sends SIGTERM to its shell only, and the shell does not forward it.
endWithParent(() => void stop(0))

let timer
for (const folder of serverSources) {
  watch(path.join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || /\.test\.ts$/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(restartServers, QUIET_MS)
  })
}
