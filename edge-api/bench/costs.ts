import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { makeCertificate } from '@portal/fixtures/factories'
import { personas } from '@portal/fixtures/personas'
import { freePort } from '../../scripts/lib/processes.mjs'
import { sqldArguments, sqldBinary } from '../../scripts/lib/sqld.mjs'
import { CONTROL_TOKEN, makeTestEnvironment } from '../test/servers/portal-server.ts'
import { end, waitUntilResponding } from '../test/servers/sqld-server.ts'
import { startGateway, testSecrets } from '../test/servers/worker-server.ts'
import { signIn } from './calls.ts'
import { type Figure, singleFigure } from './figures.ts'
import { cpuTime } from './load.ts'
import { type RunningServer, startProductWith } from './servers.ts'

/*
 * Measures the costs of one verification in the units that hosts charge for: requests, CPU time, bytes sent, and the rows that
 * the database reads and writes, as counted by libSQL itself, including those of indexes and triggers. Runs on Deno with a
 * libSQL server and the sandbox gateway with its callback. docs/benchmarks-history.md multiplies the results by prices.
 */

/** Status checks while the payer is on the card page, where the portal makes one every 3 s. */
const STATUS_CHECKS = 4
/** Maximum status checks until a successful payment must be reported as paid. */
const MAX_STATUS_CHECKS = 50
/** Length of the idle period in which the cost of scheduled work is measured, in milliseconds. */
const IDLE_MS = 20_000

interface Usage {
  milliseconds: number
  cpuSeconds: number
  rowsRead: number
  rowsWritten: number
  bytesOut: number
  requests: number
}
type CountedUsage = Exclude<keyof Usage, 'milliseconds'>

/** A running portal whose database server counts rows, and its usage so far. */
interface Portal {
  url: string
  paymentUrl: string
  readUsage(): Promise<Usage>
  call(method: string, path: string, options?: { token?: string; body?: object }): Promise<string>
  stop(): Promise<void>
}

async function startServer(folder: string): Promise<{ child: ChildProcess; url: string; admin: string }> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const listenOptions = ['--admin-listen-addr', `127.0.0.1:${adminPort}`]
  const child = spawn(sqldBinary, [...sqldArguments({ folder, port }), ...listenOptions], {
    stdio: 'ignore',
    env: { ...process.env, RUST_LOG: 'error' },
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilResponding(`${url}/health`, child)
  return { child, url, admin: `http://127.0.0.1:${adminPort}` }
}

async function openPortal(folder: string): Promise<Portal> {
  await mkdir(folder, { recursive: true })
  const server = await startServer(path.join(folder, 'sqld'))
  const variables: Record<string, string> = {
    ...(await makeTestEnvironment(folder)),
    ...testSecrets,
    PASSWORD_COST: '15',
    DATABASE_URL: server.url,
    PAYMENT_DATABASE_URL: `file:${path.join(folder, 'payments.db')}`,
  }
  const paymentUrl = `http://localhost:${variables.PAYMENT_PORT}`
  const gateway = await startGateway(variables)
  const product: RunningServer = await startProductWith({ ...variables, PAYMENT_URL: paymentUrl })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let bytesOut = 0
  let requests = 0

  function call(method: string, address: string, { token, body }: { token?: string; body?: object } = {}) {
    requests++
    return new Promise<string>((resolve, reject) => {
      const sentRequest = request(product.url + address, {
        method,
        agent,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
      })
      sentRequest.on('error', reject)
      sentRequest.on('response', response => {
        const parts: Buffer[] = []
        response.on('data', part => parts.push(part))
        response.on('end', () => {
          const content = Buffer.concat(parts)
          const text = content.toString()
          bytesOut += headLength(response.rawHeaders) + content.length
          if ((response.statusCode ?? 500) >= 400)
            reject(new Error(`${address}: ${response.statusCode} ${text}`))
          else resolve(text)
        })
      })
      sentRequest.end(body && JSON.stringify(body))
    })
  }

  return {
    url: product.url,
    paymentUrl,
    call,
    async readUsage() {
      const stats = await (await fetch(`${server.admin}/v1/namespaces/default/stats`)).json()
      return {
        milliseconds: performance.now(),
        cpuSeconds: cpuTime(product.pid),
        rowsRead: stats.rows_read_count,
        rowsWritten: stats.rows_written_count,
        bytesOut,
        requests,
      }
    },
    async stop() {
      agent.destroy()
      await product.stop()
      await gateway.stop()
      await end(server.child)
    },
  }
}

/** Returns the size of a response's headers on the wire, in bytes. */
const headLength = (rawHeaders: readonly string[]) =>
  'HTTP/1.1 200 OK\r\n\r\n'.length + rawHeaders.reduce((sum, text) => sum + text.length + 2, 0)

async function measureDuring(portal: Portal, work: () => Promise<unknown>): Promise<Usage> {
  const before = await portal.readUsage()
  await work()
  const after = await portal.readUsage()
  const difference = (name: keyof Usage) => after[name] - before[name]
  return {
    milliseconds: difference('milliseconds'),
    cpuSeconds: difference('cpuSeconds'),
    rowsRead: difference('rowsRead'),
    rowsWritten: difference('rowsWritten'),
    bytesOut: difference('bytesOut'),
    requests: difference('requests'),
  }
}

/** Makes every call of a verification by a logged-in user, from the lookup of a number to the download of the letter. */
async function verify(
  { call, paymentUrl }: Portal,
  token: string,
  certificate_number: string,
): Promise<void> {
  const body = { certificate_number }
  await call('GET', '/api/verification/settings')
  await call('POST', '/api/verification/check-certificate', { token, body })
  const started = JSON.parse(await call('POST', '/api/verification/process-payment', { token, body }))
  const statusPath = `/api/verification/check-verification-status/${started.transaction_id}`
  for (let count = 0; count < STATUS_CHECKS; count++) await call('GET', statusPath, { token })
  const settleResponse = await fetch(`${paymentUrl}/_control/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${CONTROL_TOKEN}` },
    body: JSON.stringify({ request_id: started.payment_reference, code: '00' }),
  })
  if (!settleResponse.ok) throw new Error(`settle: ${settleResponse.status}`)
  // The payment stays pending until the gateway's callback has arrived, so the status is polled.
  let payment = { status: '', letter: { code: '' } }
  for (let count = 0; payment.status !== 'paid'; count++) {
    if (count === MAX_STATUS_CHECKS) throw new Error(`not paid: ${JSON.stringify(payment)}`)
    await pause(200)
    payment = JSON.parse(await call('GET', statusPath, { token }))
  }
  await call('GET', '/api/verification/history', { token })
  await call('GET', `/api/letters/${payment.letter.code}.pdf`)
}

function figuresOf(what: string, usageOf: (name: CountedUsage) => number): Figure[] {
  const figures: [name: string, value: number, unit: string][] = [
    ['requests made', usageOf('requests'), 'requests'],
    ['CPU time', usageOf('cpuSeconds') * 1000, 'ms'],
    ['rows read', usageOf('rowsRead'), 'rows'],
    ['rows written', usageOf('rowsWritten'), 'rows'],
    ['data sent', usageOf('bytesOut') / 1000, 'kB'],
  ]
  return figures
    .filter(([, value]) => value > 0)
    .map(([name, value, unit]) => singleFigure(`Cost of ${what}: ${name}`, value, unit))
}

/**
 * Measures the costs of one verification, of one login and of a minute of scheduled work.
 * @param count number of verifications, and also of logins, that are measured
 */
export async function measureCosts(folder: string, count: number): Promise<Figure[]> {
  const portal = await openPortal(path.join(folder, 'costs'))
  try {
    const staff = await signIn(portal.url, personas.superAdmin.email)
    const numbers: string[] = []
    for (let i = 0; i < count + 1; i++) {
      const body = makeCertificate()
      await portal.call('POST', '/api/admin/certificates', { token: staff, body })
      numbers.push(body.certificate_number)
    }
    const token = await signIn(portal.url, personas.user.email)
    // Excluded from the measurement, because creating the first letter loads the fonts once per process.
    await verify(portal, token, numbers.pop() ?? '')
    const idleUsage = await measureDuring(portal, () => pause(IDLE_MS))
    const verificationUsage = await measureDuring(portal, async () => {
      for (const number of numbers) await verify(portal, token, number)
    })
    const loginUsage = await measureDuring(portal, async () => {
      for (let times = 0; times < count; times++) await signIn(portal.url, personas.user.email)
    })
    /** Returns the average usage per verification or login, after subtracting that of scheduled work. */
    const averageUsage = (usage: Usage) => (name: CountedUsage) =>
      Math.max(0, usage[name] - idleUsage[name] * (usage.milliseconds / idleUsage.milliseconds)) / count
    return [
      ...figuresOf('one verification', averageUsage(verificationUsage)),
      ...figuresOf('one login', averageUsage(loginUsage)),
      ...figuresOf(
        'a minute of the scheduled work',
        name => (idleUsage[name] * 60_000) / idleUsage.milliseconds,
      ),
    ]
  } finally {
    await portal.stop()
  }
}
