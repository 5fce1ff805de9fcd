import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { denoBinary, nodeBinary, root, run } from '../../../scripts/lib/setup.mjs'
import { LETTER_KEY } from '../letter-keys.ts'
import { CONTROL_TOKEN, type PortalAddress, testEnvironment } from './portal-server.ts'
import { answering, end, startSqld } from './sqld-server.ts'

// The binary itself: the package's launcher would stand between us and its signals.
const WORKERD = path.join(root, `node_modules/@cloudflare/workerd-${process.platform}-64/bin/workerd`)

const quoted = (text: string) => JSON.stringify(text)

/** The configuration of workerd: one service with the bundle, its variables, and leave to reach loopback. */
const configuration = (port: string, variables: Record<string, string>) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "portal", worker = .portal),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "portal")],
);
const portal :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  bindings = [
${Object.entries(variables)
  .map(([name, value]) => `    (name = ${quoted(name)}, text = ${quoted(value)}),`)
  .join('\n')}
  ],
);
`

/** Starts the portal's API on workerd over a real sqld, with the sandbox gateway beside it. */
export async function startWorkerPortal(): Promise<
  PortalAddress & {
    /** From the start of the process to its first answer, in milliseconds. */
    startedIn: number
    stop(): Promise<void>
  }
> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-worker-'))
  const bundled = await run(nodeBinary(), ['edge-api/bundle.mjs'])
  if (bundled !== 0) throw new Error('edge-api/bundle.mjs failed')
  const sqld = await startSqld(folder)
  const variables = await testEnvironment(folder)
  const { PORT = '', PAYMENT_PORT = '' } = variables
  const secrets = {
    JWT_SECRET: 'secret-of-the-worker-tests-0123456789abcdef',
    PAYMENT_WEBHOOK_SECRET: 'webhook-secret-of-the-worker-tests',
    LETTER_SIGNING_KEY: LETTER_KEY,
  }
  const gateway = spawn(
    denoBinary(),
    [
      'run',
      '-A',
      '--quiet',
      '--cached-only',
      '--no-lock',
      path.join(root, 'edge-api/src/payment-service/main.ts'),
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...variables,
        ...secrets,
        PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}`,
      },
    },
  )
  const config = path.join(folder, 'portal.capnp')
  await copyFile(path.join(root, 'edge-api/dist/worker.js'), path.join(folder, 'worker.js'))
  await writeFile(config, configuration(PORT, { ...variables, ...secrets, DATABASE_URL: sqld.url }))
  const began = performance.now()
  const worker = spawn(WORKERD, ['serve', config], { stdio: ['ignore', 'inherit', 'inherit'] })
  const stop = async () => {
    await Promise.all([end(worker), end(gateway)])
    await sqld.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://localhost:${PORT}`
  const paymentUrl = `http://localhost:${PAYMENT_PORT}`
  let startedIn = 0
  try {
    await answering(`http://127.0.0.1:${PORT}/api/health`, worker)
    startedIn = performance.now() - began
    await answering(`http://127.0.0.1:${PAYMENT_PORT}/health`, gateway)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, paymentUrl, controlToken: CONTROL_TOKEN, folder: '', startedIn, stop }
}
