// Starts the portal and the sandbox gateway as two Deno processes with no more rights than they need, and ends them
// together. Used by `npm start`, `npm run dev` and the tests.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { secretsFor } from './secrets.mjs'
import { denoBinary, nodeBinary, root, toolEnvironment } from './setup.mjs'

/** Longest a start may take before it is given up, in milliseconds. */
const START_TIMEOUT = 120_000
/** Longest a graceful stop may take before it is forced, in milliseconds. */
const STOP_TIMEOUT = 15_000
/** How long a port may stay taken before the start gives up, in milliseconds. */
const PORT_PATIENCE = 4000

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

const filePath = url => /^file:(.+)$/.exec(url)?.[1]

/** Ports, addresses and folders that follow from the environment, with the defaults of `docs`. */
export function planOf(environment) {
  const port = environment.PORT || '8080'
  const paymentPort = environment.PAYMENT_PORT || '8081'
  const databaseFile = filePath(environment.DATABASE_URL || 'file:.data/portal.db')
  const folder = databaseFile ? path.dirname(databaseFile) : '.data'
  return {
    port,
    paymentPort,
    folder,
    url: `http://localhost:${port}`,
    host: environment.HOST || '127.0.0.1',
    paymentDatabase: environment.PAYMENT_DATABASE_URL || `file:${path.join(folder, 'payments.db')}`,
    // Another gateway, or a sandbox that someone else runs, is not ours to start.
    withSandbox: (environment.PAYMENT_PROVIDER || 'sandbox') === 'sandbox' && !environment.PAYMENT_URL,
  }
}

const denoArguments = (entry, writable) => [
  'run',
  '--quiet',
  '--cached-only',
  '--no-prompt',
  '--no-lock',
  '--allow-env',
  '--allow-net',
  '--allow-sys',
  `--allow-read=${[root, ...writable].join(',')}`,
  `--allow-write=${writable.join(',')}`,
  `--allow-ffi=${path.join(root, 'node_modules')}`,
  path.join(root, entry),
]

function launch(command, args, env, onExit) {
  // The pipe on standard input closes when this process ends, however it ends; the child then stops by itself.
  const child = spawn(command, args, { cwd: root, env, stdio: ['pipe', 'inherit', 'inherit'] })
  child.on('exit', onExit)
  return child
}

const exited = child =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('exit', resolve))

/**
 * Starts everything.
 * @param environment variables as given, e.g. `process.env`
 * @param runtime `deno` (default) or `node` (needs the bundle in `edge-api/dist/node.js`)
 * @returns the plan, `ready` (resolves when both answer, rejects when one ends first), `ended` (resolves with the
 *   portal's exit code), `stop()` and the processes
 */
export function startProcesses(environment, { runtime = 'deno' } = {}) {
  const plan = planOf(environment)
  const folder = path.resolve(root, plan.folder)
  const data = path.join(root, '.data')
  for (const each of [folder, data]) mkdirSync(each, { recursive: true })
  const env = toolEnvironment({
    ...environment,
    ...secretsFor(environment, data),
    PAYMENT_DATABASE_URL: plan.paymentDatabase,
    STOP_WITH_PARENT: '1',
    NO_COLOR: '1',
  })
  const writable = [
    ...new Set([folder, path.dirname(path.resolve(root, filePath(plan.paymentDatabase) ?? '.data/x'))]),
  ]

  /** @type {{ portal?: import('node:child_process').ChildProcess, gateway?: import('node:child_process').ChildProcess }} */
  const children = {}
  let stopping = false
  let end
  const ended = new Promise(resolve => {
    end = resolve
  })
  let answered = false

  const startGateway = () => {
    children.gateway = launch(
      denoBinary(),
      denoArguments('edge-api/src/payment-service/main.ts', writable),
      env,
      code => {
        if (stopping) return
        if (!answered) return stop(code ?? 1)
        console.error('The payment service ended; starting it again.')
        setTimeout(() => !stopping && startGateway(), 1000)
      },
    )
  }
  async function stop(code = 0) {
    if (stopping) return ended
    stopping = true
    for (const child of Object.values(children)) child.kill('SIGTERM')
    const forced = setTimeout(() => {
      for (const child of Object.values(children)) child.kill('SIGKILL')
    }, STOP_TIMEOUT)
    await Promise.all(Object.values(children).map(exited))
    clearTimeout(forced)
    end(code)
    return ended
  }

  const begin = () => {
    if (stopping) return
    if (plan.withSandbox) startGateway()
    children.portal = launch(command, args, env, code => stop(code ?? 1))
  }
  const [command, args] =
    runtime === 'node'
      ? [nodeBinary(), [path.join(root, 'edge-api/dist/node.js')]]
      : [denoBinary(), denoArguments('edge-api/src/runtimes/deno.ts', writable)]

  const checks = [`http://${plan.host}:${plan.port}/api/health`]
  if (plan.withSandbox) checks.push(`http://${plan.host}:${plan.paymentPort}/health`)
  // Someone else on our port would answer in our place.
  const ready = portsFree(plan)
    .then(begin)
    .then(() => untilAnswering(checks, () => stopping))
    .then(() => {
      answered = true
      return plan
    })
  return { plan, ready, ended, stop, children }
}

function isFree(port, host) {
  return new Promise(resolve => {
    const server = createServer()
    server.on('error', error => resolve(!('code' in error && error.code === 'EADDRINUSE')))
    server.listen(Number(port), host, () => server.close(() => resolve(true)))
  })
}

async function portsFree({ host, port, paymentPort, withSandbox }) {
  if (withSandbox && port === paymentPort) {
    throw new Error(
      `PAYMENT_PORT: ${paymentPort} is the portal's own port. Choose another: PAYMENT_PORT=${Number(port) + 1}`,
    )
  }
  const ports = withSandbox ? { PORT: port, PAYMENT_PORT: paymentPort } : { PORT: port }
  for (const [name, value] of Object.entries(ports)) {
    // What is not a port at all is refused, with its reason, by the process that reads it.
    if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 65535) continue
    // One that was just killed may need a moment to let go.
    const deadline = Date.now() + PORT_PATIENCE
    while (Date.now() < deadline && !(await isFree(value, host))) await pause(200)
    if (await isFree(value, host)) continue
    throw new Error(
      `${name}: ${value} is already taken on ${host}. Stop what listens there, or choose another: ${name}=${Number(value) + 10}`,
    )
  }
}

async function untilAnswering(addresses, givenUp) {
  const deadline = Date.now() + START_TIMEOUT
  for (const address of addresses) {
    for (;;) {
      if (givenUp()) throw new Error('ended before it answered')
      if (Date.now() > deadline) throw new Error(`${address} did not answer within ${START_TIMEOUT / 1000} s`)
      const answer = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
      if (answer?.ok) break
      await pause(50)
    }
  }
}
