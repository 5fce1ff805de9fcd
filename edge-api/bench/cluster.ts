import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { makeCertificate } from '@portal/fixtures/factories'
import { personas } from '@portal/fixtures/personas'
import { startCluster } from '../../tools/lib/cluster.mjs'
import { CONTROL_TOKEN, makeTestEnvironment } from '../test/servers/portal-server.ts'
import { testSecrets } from '../test/servers/worker-server.ts'
import { signIn } from './calls.ts'
import { formatNumber } from './figures.ts'
import { cpuTime } from './load.ts'
import { getOk, json, postOk } from './requests.ts'

/*
 * Measures a cluster with 1, 2 and 4 API processes: verifications per second, lists per second from replicas, and the CPU time
 * that a verification or a list takes in each kind of process. The CPU time of the primary limits both rates, no matter how
 * many machines there are.
 */

const PROCESS_COUNTS = [1, 2, 4]
const CONCURRENCY = 16
/** Lists read from replicas, concurrently, by the demo's accounts and staff. */
const LISTS = [
  '/api/verification/history',
  '/api/verification/statistics',
  '/api/admin/certificates?per_page=20',
  '/api/admin/users?per_page=20',
  '/api/admin/activity-logs?per_page=20',
]
const PROCESS_KINDS = ['api', 'primary', 'replica', 'gateway'] as const

type Cluster = ReturnType<typeof startCluster>

/** Returns the seconds of CPU time that the processes of each kind have used so far. */
const cpuSecondsByKind = ({ parts }: Cluster) =>
  PROCESS_KINDS.map(kind =>
    [...parts]
      .filter(([name]) => name.startsWith(kind))
      .reduce((sum, [, { child }]) => sum + cpuTime(child.pid ?? 0), 0),
  )

/**
 * Runs `work` for all items, several at a time.
 * @returns table cells: items per second, and CPU milliseconds per item in each kind of process
 */
async function measureDuring<T>(
  cluster: Cluster,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<string[]> {
  const queue = [...items]
  const cpuBefore = cpuSecondsByKind(cluster)
  const began = performance.now()
  const worker = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const durationMs = performance.now() - began
  const cpuPerItem = cpuSecondsByKind(cluster).map(
    (after, index) => ((after - (cpuBefore[index] ?? 0)) * 1000) / items.length,
  )
  return [
    `${formatNumber((items.length * 1000) / durationMs)} /s`,
    ...cpuPerItem.map(milliseconds => formatNumber(milliseconds)),
  ]
}

/**
 * Makes one verification with the sandbox gateway, from the lookup of the number until the payment is confirmed and the letter
 * exists.
 */
async function verify(
  { url, paymentUrl }: Cluster,
  token: string,
  certificate_number: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const base = `${url}/api/verification`
  await postOk(`${base}/check-certificate`, headers, { certificate_number })
  const started = await postOk(`${base}/process-payment`, headers, { certificate_number })
  const outcome = { request_id: started.payment_reference, code: '00' }
  await postOk(`${paymentUrl}/_control/settle`, { authorization: `Bearer ${CONTROL_TOKEN}` }, outcome)
  const address = `${base}/check-verification-status/${started.transaction_id}`
  // Polls, because a callback may still be requerying the gateway, with the result not yet stored.
  while ((await json(await getOk(address, headers))).status !== 'paid')
    await new Promise(resolve => setTimeout(resolve, 50))
}

async function measure(folder: string, processCount: number, verificationCount: number): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const environment = { ...process.env, ...(await makeTestEnvironment(folder)), ...testSecrets }
  const runtimes = Array.from({ length: processCount }, () => 'deno')
  const cluster = startCluster(environment, { folder, runtimes })
  await cluster.ready
  try {
    const staff = await signIn(cluster.url, personas.superAdmin.email)
    const user = await signIn(cluster.url, personas.user.email)
    const numbers: string[] = []
    while (numbers.length < verificationCount + CONCURRENCY) {
      const certificate = makeCertificate()
      await postOk(`${cluster.url}/api/admin/certificates`, { authorization: `Bearer ${staff}` }, certificate)
      numbers.push(certificate.certificate_number)
    }
    const pay = (number: string) => verify(cluster, user, number)
    // Warm-up, because every process has to compile its code first.
    await measureDuring(cluster, numbers.splice(0, CONCURRENCY), pay)
    const verificationCells = await measureDuring(cluster, numbers, pay)
    const lists = Array.from(
      { length: verificationCount * 5 },
      (_, index) => LISTS[index % LISTS.length] ?? '',
    )
    const read = (list: string) => getOk(cluster.url + list, { authorization: `Bearer ${staff}` })
    await measureDuring(cluster, lists.slice(0, 50), read)
    const listCells = await measureDuring(cluster, lists, read)
    const row = (operation: string, cells: string[]) =>
      `| ${[processCount, operation, ...cells].join(' | ')} |`
    return [row('verifications', verificationCells), row('lists, by replicas', listCells)]
  } finally {
    await cluster.stop()
  }
}

/**
 * Measures clusters of each size, and returns a table in Markdown.
 * @param count number of verifications for each size; five times as many lists are read
 */
export async function measureCluster(folder: string, count: number): Promise<string> {
  const rows: string[] = []
  for (const processes of PROCESS_COUNTS)
    rows.push(...(await measure(path.join(folder, `cluster-${processes}`), processes, count)))
  return [
    `CPU time in ms per operation, with ${CONCURRENCY} at a time.`,
    '',
    '| API processes | What | Speed | API | Primary | Replicas | Gateway |',
    '| ---: | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}
