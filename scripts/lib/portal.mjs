// Starts the portal and the sandbox gateway as two Deno processes with minimal permissions, and stops them together. `npm
// start`, `npm run dev` and the tests use it.
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { denoArguments } from './deno-permissions.mjs'
import { makeFolder } from './folder.mjs'
import { launch, stopAll, waitForFreePorts, waitUntilResponding } from './processes.mjs'
import { developmentKey } from './release-keys.mjs'
import { secretsFor } from './secrets.mjs'
import { denoBinary, nodeBinary, root, toolEnvironment } from './setup.mjs'

const filePath = url => /^file:(.+)$/.exec(url)?.[1]

/** Returns the ports, addresses and folders that the environment sets, with the defaults of docs/configuration.md. */
export function planOf(environment) {
  const port = environment.PORT || '8080'
  const paymentPort = environment.PAYMENT_PORT || '8081'
  const database = environment.DATABASE_URL || 'file:.data/portal.db'
  const databaseFile = filePath(database)
  const folder = databaseFile ? path.dirname(databaseFile) : '.data'
  const host = environment.HOST || '127.0.0.1'
  const browserHost = browserHostOf(host)
  return {
    port,
    paymentPort,
    database,
    folder,
    mailFolder: environment.MAIL_FOLDER || path.join(folder, 'mailbox'),
    browserHost,
    url: `http://${browserHost}:${port}`,
    paymentUrl: `http://${sandboxHostOf(host, environment.PUBLIC_URL)}:${paymentPort}`,
    host,
    paymentDatabase: environment.PAYMENT_DATABASE_URL || `file:${path.join(folder, 'payments.db')}`,
    // Other gateways and external sandboxes are not started here. In production, the portal refuses to start with the sandbox
    // and reports this together with other problems, so it is not started either.
    withSandbox:
      (environment.PAYMENT_PROVIDER || 'sandbox') === 'sandbox' &&
      !environment.PAYMENT_URL &&
      environment.NODE_ENV !== 'production',
  }
}

/** Returns a host as it is written in a URL: IPv6 in brackets. */
export const urlHost = host => (host.includes(':') ? `[${host}]` : host)

/** @param {string} host */
export const listensEverywhere = host => ['0.0.0.0', '::'].includes(host)

/**
 * Returns the host name with which browsers on this machine reach the host: the address itself if `localhost` does not lead to
 * it.
 */
const browserHostOf = host => (host === '127.0.0.1' || listensEverywhere(host) ? 'localhost' : urlHost(host))

/**
 * Returns the sandbox gateway's host name for browsers. If it listens on all addresses, that is the host of the portal's public
 * URL, unless the portal is behind a proxy with https.
 */
const sandboxHostOf = (host, publicUrl) =>
  listensEverywhere(host) && publicUrl?.startsWith('http://') && URL.canParse(publicUrl)
    ? new URL(publicUrl).hostname
    : browserHostOf(host)

/** Returns the addresses and folders that each process of a plan uses, for `denoArguments`. */
export function buildPermissions(
  { host, port, paymentPort, paymentUrl, folder, database, paymentDatabase, mailFolder },
  environment,
) {
  const ownHost = urlHost(host)
  const serverAddresses = [port, paymentPort].flatMap(item =>
    [ownHost, '127.0.0.1', 'localhost'].map(hostname => `${hostname}:${item}`),
  )
  serverAddresses.push(paymentUrl.slice('http://'.length))
  const paymentFile = filePath(paymentDatabase)
  const paymentFolders = paymentFile ? [path.dirname(paymentFile)] : []
  const mailFolders = environment.MAIL_URL ? [] : [mailFolder]
  const toAbsolute = folders => [...new Set(folders.map(item => path.resolve(root, item)))]
  return {
    portal: {
      databaseUrl: database,
      serverAddresses,
      // Webhooks are sent to the addresses that organisations configure.
      egress: true,
      // Backups are stored next to the database file, including those of the payment service.
      writable: toAbsolute(filePath(database) ? [folder, ...paymentFolders, ...mailFolders] : mailFolders),
    },
    gateway: { databaseUrl: paymentDatabase, serverAddresses, writable: toAbsolute(paymentFolders) },
  }
}

/** Creates a data folder that only its owner can access. Throws an error with a readable message. */
export function makePrivateFolder(folder) {
  try {
    makeFolder(folder, 0o700)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      `${folder} is not writable (${reason}): make the user who runs this command its owner, or choose another folder with DATABASE_URL.`,
    )
  }
}

/**
 * Starts the portal and, if the plan includes it, the sandbox gateway.
 * @param environment variables as given, e.g. `process.env`
 * @param runtime `deno` (default) or `node` (needs the bundle in `edge-api/dist/node.js`)
 * @returns the plan, `ready` (resolves when both respond, rejects if one ends first), `ended` (resolves with the
 *   portal's exit code), `stop()` and the processes
 */
export function startProcesses(environment, { runtime = 'deno' } = {}) {
  const plan = planOf(environment)
  const folder = path.resolve(root, plan.folder)
  const dataFolder = path.join(root, '.data')
  for (const item of [folder, dataFolder]) makePrivateFolder(item)
  const env = toolEnvironment({
    ...environment,
    ...secretsFor(environment, dataFolder),
    ...(environment.NODE_ENV !== 'production' && { RELEASE_DEVELOPMENT_KEY: developmentKey(dataFolder).x }),
    PAYMENT_DATABASE_URL: plan.paymentDatabase,
    STOP_WITH_PARENT: '1',
    NO_COLOR: '1',
  })
  const permissions = buildPermissions(plan, env)

  /** @type {{ portal?: import('node:child_process').ChildProcess, gateway?: import('node:child_process').ChildProcess }} */
  const children = {}
  let stopping = false
  let resolveEnded
  const ended = new Promise(resolve => {
    resolveEnded = resolve
  })
  let isReady = false

  const startGateway = () => {
    const entry = 'edge-api/src/payment-service/main.ts'
    children.gateway = launch(denoBinary(), denoArguments(entry, env, permissions.gateway), env, code => {
      if (stopping) return
      if (!isReady) return stop(code ?? 1)
      console.error('The payment service ended; restarting it.')
      setTimeout(() => !stopping && startGateway(), 1000)
    })
  }
  async function stop(code = 0) {
    if (stopping) return ended
    stopping = true
    // The portal stops first, because its remaining requests may need the gateway.
    await stopAll(children.portal ? [children.portal] : [])
    await stopAll(children.gateway ? [children.gateway] : [])
    resolveEnded(code)
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
      : [denoBinary(), denoArguments('edge-api/src/runtimes/server.ts', env, permissions.portal)]

  const host = urlHost(plan.host)
  const checks = [`http://${host}:${plan.port}/api/health`]
  if (plan.withSandbox) checks.push(`http://${host}:${plan.paymentPort}/health`)
  const ready = waitForPlanPorts(plan)
    .then(begin)
    .then(() => waitUntilResponding(checks, () => stopping))
    .then(() => {
      isReady = true
      return plan
    })
  return { plan, ready, ended, stop, children }
}

/** Resolves when the ports of a plan are free. Rejects with a readable message if one is in use or invalid. */
export async function waitForPlanPorts({ host, port, paymentPort, withSandbox }) {
  if (withSandbox && port === paymentPort) {
    throw new Error(
      `PAYMENT_PORT: ${paymentPort} is the portal's own port. Choose another: PAYMENT_PORT=${Number(port) + 1}`,
    )
  }
  await waitForFreePorts(withSandbox ? { PORT: port, PAYMENT_PORT: paymentPort } : { PORT: port }, host)
}
