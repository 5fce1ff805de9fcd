import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { denoArguments } from '../../../scripts/lib/deno-permissions.mjs'
import { buildPermissions, planOf } from '../../../scripts/lib/portal.mjs'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { denoBinary, root } from '../../../scripts/lib/setup.mjs'
import { LETTER_KEY } from '../letter-keys.ts'
import { bundled } from './bundle-api.ts'
import { CONTROL_TOKEN, makeTestEnvironment, type PortalAddress } from './portal-server.ts'
import { end, startPrimaryAndReplica, startSqld, waitUntilResponding } from './sqld-server.ts'

/** The compatibility date of workerd; the same as in wrangler.toml. */
export const COMPATIBILITY_DATE = '2026-10-01'

/** Secrets for processes that do not create their own. */
export const testSecrets = {
  JWT_SECRET: 'secret-of-the-worker-tests-0123456789abcdef',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret-of-the-worker-tests',
  LETTER_SIGNING_KEY: LETTER_KEY,
}

// The binary itself, because the package's launcher would intercept our signals.
const WORKERD = path.join(root, `node_modules/@cloudflare/workerd-${process.platform}-64/bin/workerd`)

const quote = (text: string) => JSON.stringify(text)

/**
 * Returns the configuration of workerd: the bundle with its variables and access to loopback, and, on another port, a
 * substitute for Cloudflare's clock: each call to that port is one scheduled event.
 */
const buildConfiguration = (
  port: string,
  clockPort: number,
  variables: Record<string, string>,
  assets: string | undefined,
) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "portal", worker = .portal),
    (name = "clock", worker = .clock),
${assets === undefined ? '' : `    (name = "assets", disk = ${quote(assets)}),`}
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:${port}", http = (), service = "portal"),
    (name = "clock", address = "127.0.0.1:${clockPort}", http = (), service = "clock"),
  ],
);
const portal :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [
${Object.entries(variables)
  .map(([name, value]) => `    (name = ${quote(name)}, text = ${quote(value)}),`)
  .join('\n')}
${assets === undefined ? '' : '    (name = "ASSETS", service = "assets"),'}
  ],
);
const clock :Workerd.Worker = (
  modules = [(name = "clock.js", esModule = ${quote(CLOCK)})],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ["service_binding_extra_handlers"],
  bindings = [(name = "PORTAL", service = "portal")],
);
`

const CLOCK = `export default {
  async fetch(_, { PORTAL }) {
    const { outcome } = await PORTAL.scheduled({ cron: '* * * * *', scheduledTime: new Date() })
    return new Response(outcome, { status: outcome === 'ok' ? 200 : 500 })
  },
}`

export interface RunningWorker {
  url: string
  /** Time from the start of the process to its first response, in milliseconds. */
  startedIn: number
  /** Runs one scheduled event until it has ended. */
  runScheduledJobs(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the portal on workerd. `variables` must name a database, all secrets and `PORT`.
 * @param script the bundle to run; by default that of the current sources
 * @param assets folder of the files that the `ASSETS` binding serves
 */
export async function startWorker(
  folder: string,
  variables: Record<string, string>,
  script?: string,
  assets?: string,
): Promise<RunningWorker> {
  if (!script) await bundled()
  const { PORT = '' } = variables
  const clockPort = await freePort()
  const config = path.join(folder, 'portal.capnp')
  await copyFile(script ?? path.join(root, 'edge-api/dist/worker.js'), path.join(folder, 'worker.js'))
  await writeFile(config, buildConfiguration(PORT, clockPort, variables, assets))
  const began = performance.now()
  const worker = spawn(WORKERD, ['serve', '--experimental', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    await waitUntilResponding(`http://127.0.0.1:${PORT}/api/health`, worker)
  } catch (error) {
    await end(worker)
    throw error
  }
  return {
    url: `http://localhost:${PORT}`,
    startedIn: performance.now() - began,
    async runScheduledJobs() {
      const response = await fetch(`http://127.0.0.1:${clockPort}`)
      if (!response.ok) throw new Error(`the scheduled event ended with ${await response.text()}`)
    },
    stop: () => end(worker),
  }
}

/** Starts only the sandbox gateway, on Deno. @param variables as for the portal, with `PAYMENT_DATABASE_URL` */
export async function startGateway(variables: Record<string, string>): Promise<{ stop(): Promise<void> }> {
  const permissions = buildPermissions(planOf(variables), variables).gateway
  const entry = 'edge-api/src/payment-service/main.ts'
  const gateway = spawn(denoBinary(), denoArguments(entry, variables, permissions), {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...variables },
  })
  await waitUntilResponding(`http://127.0.0.1:${variables.PAYMENT_PORT}/health`, gateway)
  return { stop: () => end(gateway) }
}

/**
 * Returns the variables of portals that run the black-box suite one after the other, with one gateway and without demo data.
 */
export async function makeBlackBoxEnvironment(folder: string): Promise<Record<string, string>> {
  const environment = await makeTestEnvironment(folder)
  return {
    ...environment,
    ...testSecrets,
    SEED: 'none',
    RATE_LIMIT_SCALE: '1',
    // Each run of the suite uses its own IP address.
    TRUST_PROXY: '1',
    PAYMENT_URL: `http://localhost:${environment.PAYMENT_PORT}`,
    PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}`,
  }
}

/** Starts the API on workerd over a real sqld, with the sandbox gateway; `withReplica` adds a replica. */
export async function startWorkerPortal({
  withReplica = false,
} = {}): Promise<PortalAddress & Pick<RunningWorker, 'startedIn' | 'stop'>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-worker-'))
  const sqld = await (withReplica ? startPrimaryAndReplica(folder) : startSqld(folder))
  const variables: Record<string, string> = {
    ...(await makeTestEnvironment(folder)),
    ...testSecrets,
    DATABASE_URL: sqld.url,
    DATABASE_REPLICA_URL: sqld.replicaUrl,
    PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}`,
  }
  const gateway = await startGateway(variables)
  const worker = await startWorker(folder, variables)
  return {
    url: worker.url,
    paymentUrl: `http://localhost:${variables.PAYMENT_PORT}`,
    controlToken: CONTROL_TOKEN,
    folder: '',
    startedIn: worker.startedIn,
    async stop() {
      await Promise.all([worker.stop(), gateway.stop()])
      await sqld.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
