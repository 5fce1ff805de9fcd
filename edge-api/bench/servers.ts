import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { freePort } from '../../scripts/lib/processes.mjs'
import { denoBinary, nodeBinary, root } from '../../scripts/lib/setup.mjs'
import { LETTER_KEY } from '../test/letter-keys.ts'
import { end, waitUntilResponding } from '../test/servers/sqld-server.ts'

export const JWT_SECRET = 'secret-of-the-benchmarks-0123456789abcdef'

export type Runtime = 'deno' | 'node'

export interface RunningServer {
  url: string
  /** Time from the start of the process to its first response, in milliseconds. */
  startedIn: number
  pid: number
  stop(): Promise<void>
}

const denoArguments = ['run', '-A', '--quiet', '--cached-only', '--no-lock']

async function start(
  command: [string, string[]],
  variables: Record<string, string>,
  healthPath: string,
): Promise<RunningServer> {
  const { PORT: port = String(await freePort()) } = variables
  const began = performance.now()
  const child: ChildProcess = spawn(command[0], command[1], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...variables, PORT: port, NO_COLOR: '1' },
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilResponding(url + healthPath, child)
  return { url, startedIn: performance.now() - began, pid: child.pid ?? 0, stop: () => end(child) }
}

/** Returns the environment variables of a portal with a database file, without rate limits, and logging only errors. */
export const portalVariables = (databaseUrl: string, paymentUrl = ''): Record<string, string> => ({
  HOST: '127.0.0.1',
  DATABASE_URL: databaseUrl,
  JWT_SECRET,
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret-of-the-benchmarks',
  LETTER_SIGNING_KEY: LETTER_KEY,
  RATE_LIMIT_SCALE: '1000000',
  LOG_LEVEL: 'error',
  SEED: 'demo',
  NODE_ENV: 'test',
  BACKUP_EVERY_HOURS: '0',
  ...(paymentUrl && { PAYMENT_URL: paymentUrl }),
})

/** Starts the product on one of its runtimes; on Node, from the bundle. */
export function startProduct(
  runtime: Runtime,
  databaseFile: string,
  paymentUrl = '',
): Promise<RunningServer> {
  const command: [string, string[]] =
    runtime === 'deno'
      ? [denoBinary(), [...denoArguments, path.join(root, 'edge-api/src/runtimes/server.ts')]]
      : [nodeBinary(), [path.join(root, 'edge-api/dist/node.js')]]
  return start(command, portalVariables(`file:${databaseFile}`, paymentUrl), '/api/health')
}

/** Starts the product on Deno with these environment variables, which also name the database. */
export const startProductWith = (variables: Record<string, string>): Promise<RunningServer> =>
  start(
    [denoBinary(), [...denoArguments, path.join(root, 'edge-api/src/runtimes/server.ts')]],
    variables,
    '/api/health',
  )

/**
 * Starts the baseline, which has only the framework and the database, on the same runtime.
 * @param usesNodeServer whether to use the product's HTTP server on Deno
 */
export function startBare(
  runtime: Runtime,
  databaseFile: string,
  usesNodeServer = false,
): Promise<RunningServer> {
  const script = path.join(root, 'edge-api/bench/bare-server.ts')
  const command: [string, string[]] =
    runtime === 'deno'
      ? [denoBinary(), [...denoArguments, script]]
      : [nodeBinary(), ['--disable-warning=ExperimentalWarning', script]]
  const variables = { DATABASE_FILE: databaseFile, JWT_SECRET, ...(usesNodeServer && { NODE_SERVER: '1' }) }
  return start(command, variables, '/hello')
}
