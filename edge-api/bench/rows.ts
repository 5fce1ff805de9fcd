import { mkdir } from 'node:fs/promises'
import process from 'node:process'
import { createClient } from '@libsql/client/web'
import { openDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { pooledStreams } from '../src/db/stream-pool.ts'
import { type RunningSqld, startSqld } from '../test/servers/sqld-server.ts'
import { compareFigures, type Figure, formatNumber, toTable } from './figures.ts'
import { cpuTime } from './load.ts'
import { openPortalInProcess } from './payments.ts'

/*
 * Counts every row that one verification writes, by request and statement, as a libSQL server counts them, including those of
 * indexes and triggers. These counts do not depend on the load of the machine. Then measures verifications per second, one at a
 * time and eight at a time, and compares them with the bare driver, which writes the same number of rows in the same number of
 * transactions, each as one batch.
 */

interface Statement {
  sql: string
  rows: number
}
interface SentStatement {
  sql?: string
  sql_id?: number
}
interface SentPipeline {
  requests: {
    sql_id?: number
    sql?: string
    stmt?: SentStatement
    batch?: { steps: { stmt: SentStatement }[] }
  }[]
}
interface RowCounts {
  rows_written?: number
}
interface PipelineReply {
  results?: { response?: { result?: RowCounts & { step_results?: (RowCounts | null)[] } } }[]
}

/**
 * Wraps `fetch`: while the recorder is enabled, it records the statements of each request, with the number of rows that each
 * wrote.
 */
function makeRecordingFetch(recorder: {
  isEnabled: boolean
  record: (statements: Statement[]) => void
}): typeof fetch {
  return async (input, init) => {
    if (!recorder.isEnabled) return await fetch(input, init)
    const request = new Request(input, init)
    const body = await request.clone().text()
    const response = await fetch(request)
    // The first request of a client only asks for the protocol version.
    if (!body.startsWith('{')) return response
    const sentPipeline = JSON.parse(body) as SentPipeline
    const reply = (await response.clone().json()) as PipelineReply
    const sqlById = new Map(sentPipeline.requests.map(({ sql_id: id, sql }) => [id, sql]))
    const sqlOf = ({ sql, sql_id: id }: SentStatement) => sql ?? sqlById.get(id) ?? ''
    recorder.record(
      sentPipeline.requests.flatMap(({ stmt, batch }, position) => {
        const result = reply.results?.[position]?.response?.result
        if (stmt) return [{ sql: sqlOf(stmt), rows: result?.rows_written ?? 0 }]
        return (batch?.steps ?? []).map((step, index) => ({
          sql: sqlOf(step.stmt),
          rows: result?.step_results?.[index]?.rows_written ?? 0,
        }))
      }),
    )
    return response
  }
}

/** Returns the verb and table of a statement, for example "insert `payments`". */
function describeStatement(sql: string): string {
  const [, verb = '', table = ''] =
    /^\s*(insert|update|delete)(?:\s+(?:into|from))?\s+["`]?(\w+)/i.exec(sql) ?? []
  return `${verb.toLowerCase()} \`${table}\``
}

/**
 * Runs `work` repeatedly, and returns runs per second, and the CPU time that this process and the server each use per run, in
 * milliseconds.
 */
async function measureSpeed<T>(
  { pid }: RunningSqld,
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<unknown>,
) {
  const queue = [...items]
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  const serverCpuBefore = cpuTime(pid)
  const worker = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    perSecond: (items.length * 1000) / (performance.now() - began),
    api: (user + system) / 1000 / items.length,
    server: ((cpuTime(pid) - serverCpuBefore) * 1000) / items.length,
  }
}

/**
 * Prepares the baseline with the bare driver: it writes this number of rows in this number of transactions, each as one batch.
 */
async function prepareBareBatches(url: string, transactions: number, rows: number) {
  const client = createClient({ url })
  await client.execute('create table if not exists bare (id integer primary key, value text)')
  const insert = "insert into bare (value) values ('a value of some length')"
  const batch = Array.from({ length: Math.round(rows / transactions) }, () => insert)
  return {
    async run() {
      for (let index = 0; index < transactions; index++) await client.batch(batch, 'write')
    },
    close: () => client.close(),
  }
}

/** The two ways in which a payment starts at a gateway; they determine what must be written before and after the start. */
const starts = [
  { name: 'a signed form (Interswitch, BPMS)', isSignedForm: true },
  { name: 'a call (Paystack, the sandbox)', isSignedForm: false },
]

/** Measures verifications with one kind of gateway: the rows that each statement writes, and verifications per second. */
async function measureWithGateway(
  server: RunningSqld,
  start: (typeof starts)[number],
  count: number,
): Promise<string> {
  const requests: Statement[][] = []
  const recorder = { isEnabled: true, record: (statements: Statement[]) => void requests.push(statements) }
  const client = createClient({ url: server.url, fetch: pooledStreams(makeRecordingFetch(recorder)) })
  await migrate(client)
  const { setup, verify } = await openPortalInProcess(async () => ({
    database: openDatabase(client, { serialiseWrites: false }),
    remove: async () => client.close(),
  }))
  Object.assign(setup.gateway, { isSignedForm: start.isSignedForm })
  try {
    // Not counted: the first verification inserts counter rows that later ones only update.
    await verify(await setup.newCertificate())
    const number = await setup.newCertificate()
    requests.length = 0
    await verify(number)
    const lines = requests.flatMap((statements, index) =>
      statements
        .filter(({ rows }) => rows > 0)
        .map(({ sql, rows }) => `| ${index + 1} | ${describeStatement(sql)} | ${rows} |`),
    )
    const total = requests.flat().reduce((sum, { rows }) => sum + rows, 0)
    const transactions = requests.flat().filter(({ sql }) => sql === 'commit').length
    const requestCount = requests.length
    recorder.isEnabled = false
    const figures: Figure[] = []
    const bare = await prepareBareBatches(server.url, transactions, total)
    for (const concurrency of [1, 8]) {
      const numbers: string[] = []
      while (numbers.length < count) numbers.push(await setup.newCertificate())
      const reference = await measureSpeed(server, numbers, concurrency, bare.run)
      const { perSecond, api, server: database } = await measureSpeed(server, numbers, concurrency, verify)
      const what = `Verifications on a database server, ${concurrency} at a time`
      figures.push(
        compareFigures(what, [perSecond, '/s'], ['as many rows in bare batches', reference.perSecond]),
        compareFigures(
          'CPU time of each, API and server',
          [api + database, 'ms'],
          [
            `API ${formatNumber(api)}, server ${formatNumber(database)}; bare batches`,
            reference.api + reference.server,
          ],
        ),
      )
    }
    bare.close()
    return [
      `#### Started by ${start.name}`,
      '',
      '| Request | Statement | Rows |',
      '| ---: | --- | ---: |',
      ...lines,
      `| ${requestCount} | all, in ${transactions} transactions | ${total} |`,
      '',
      toTable(figures),
    ].join('\n')
  } finally {
    await setup.close()
  }
}

/**
 * Counts the rows that one verification writes, and measures verifications per second.
 * @param count number of verifications measured one at a time, and again eight at a time
 * @returns tables of the rows written, and the speeds, in Markdown
 */
export async function measureRows(folder: string, count: number): Promise<string> {
  await mkdir(folder, { recursive: true })
  const server = await startSqld(folder)
  try {
    const tables: string[] = []
    for (const start of starts) tables.push(await measureWithGateway(server, start, count))
    return tables.join('\n\n')
  } finally {
    await server.stop()
  }
}
