import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProcesses } from '../../../scripts/lib/portal.mjs'
import { freePort } from '../../../scripts/lib/processes.mjs'

/** A portal under test: its address, and what a test needs to control it. */
export interface PortalAddress {
  url: string
  paymentUrl: string
  /** The token for the sandbox gateway's control calls. */
  controlToken: string
  /** The folder of the databases and the captured mail; empty if the portal has no disk. */
  folder: string
}

export interface RunningPortal extends PortalAddress {
  stop(): Promise<void>
  /** Process IDs, for tests that kill the processes. */
  pids: { portal: number | undefined; gateway: number | undefined }
}

export const CONTROL_TOKEN = 'control-token-of-the-tests'

/** Returns the variables of every portal under test: its own ports and databases, and limits that tests do not reach. */
export async function makeTestEnvironment(folder: string): Promise<Record<string, string>> {
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    PAYMENT_PORT: String(await freePort()),
    DATABASE_URL: `file:${path.join(folder, 'portal.db')}`,
    DATABASE_REPLICA_URL: '',
    // Needed even without a database file, because captured mail would otherwise go to the developer's own mailbox.
    MAIL_FOLDER: path.join(folder, 'mailbox'),
    PAYMENT_CONTROL_TOKEN: CONTROL_TOKEN,
    RATE_LIMIT_SCALE: '1000',
    // Tests log in to many accounts, and the cost of hashing only matters to tests that set it.
    PASSWORD_COST: '6',
    LOG_LEVEL: 'error',
    // Empty, because variables of the developer's shell must not reach the portal under test.
    MAIL_URL: '',
    PUBLIC_URL: '',
    PAYMENT_URL: '',
    PAYMENT_PROVIDER: '',
    PAYMENT_DATABASE_URL: '',
    SEED: 'demo',
    NODE_ENV: 'test',
    CLOCK_OFFSET_SECONDS: '',
    TRUST_PROXY: '',
  }
}

/**
 * Starts a whole portal with file databases in a temporary folder. `environment` overrides its variables.
 * @param runtime Node needs the bundle of `edge-api/bundle.mjs`
 */
export async function startPortal(
  environment: Record<string, string> = {},
  runtime: 'deno' | 'node' = 'deno',
): Promise<RunningPortal> {
  const folder = environment.FOLDER ?? (await mkdtemp(path.join(tmpdir(), 'portal-test-')))
  const { FOLDER: _, ...overrides } = environment
  const variables = { ...(await makeTestEnvironment(folder)), ...overrides }
  const portal = startProcesses({ ...process.env, ...variables }, { runtime })
  try {
    await portal.ready
  } catch (error) {
    await portal.stop(1)
    throw error
  }
  return {
    url: `http://localhost:${variables.PORT}`,
    paymentUrl: `http://localhost:${variables.PAYMENT_PORT}`,
    controlToken: CONTROL_TOKEN,
    folder,
    pids: { portal: portal.children.portal?.pid, gateway: portal.children.gateway?.pid },
    async stop() {
      await portal.stop(0)
      if (!environment.FOLDER) await rm(folder, { recursive: true, force: true })
    },
  }
}
