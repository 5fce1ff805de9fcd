import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { personas } from '@portal/fixtures/personas'
import { openDatabase } from '../src/db/database.ts'
import { openFile } from '../src/db/file-client.ts'
import { rollUp } from '../src/jobs/rollup-store.ts'
import { isSqldAvailable } from '../test/servers/sqld-server.ts'
import { startWorkerPortal } from '../test/servers/worker-server.ts'
import { certificateNumberAt, type DataSizes, signIn } from './calls.ts'
import { measureCluster } from './cluster.ts'
import { measureCosts } from './costs.ts'
import { measureThroughput } from './endpoints.ts'
import { compareFigures, type Figure, formatNumber, percentile, singleFigure, toTable } from './figures.ts'
import { measureGrowth, type SizedPortal } from './growth.ts'
import { measureKeys } from './keys.ts'
import { measureLetters } from './letters.ts'
import { cpuTime } from './load.ts'
import { measurePages } from './pages.ts'
import { measurePayments } from './payments.ts'
import { measureRegister } from './register.ts'
import { measureRows } from './rows.ts'
import { addCertificates, addUsers, addVerifications } from './seed-large.ts'
import { type Runtime, startBare, startProduct } from './servers.ts'
import {
  bytesWritten,
  hasSqliteCommand,
  importByCommandLine,
  measureCallsDuring,
  upload,
  writeCsv,
} from './upload.ts'
import { measureWorstLists } from './worst-lists.ts'

/*
 * `npm run bench` measures the whole table in one run, on data that it creates and removes. `--quick` uses small sizes and
 * short times, to check that everything works and in which direction a change goes. `--only growth,upload` runs only these
 * parts. Prints the table as Markdown.
 */

const quick = process.argv.includes('--quick')
const sizes = quick
  ? {
      certificates: [10_000, 40_000],
      verifications: [5000, 5000],
      register: 20_000,
      upload: 20_000,
      payments: 40,
      verified: 10,
      requests: 1500,
      batch: 500,
      times: 60,
    }
  : {
      certificates: [10_000, 1_000_000, 5_000_000],
      verifications: [10_000, 100_000, 1_000_000],
      register: 1_000_000,
      upload: 1_000_000,
      payments: 500,
      verified: 100,
      requests: 20_000,
      batch: 5000,
      times: 2000,
    }

const sizeLabel = (count: number) =>
  count >= 1_000_000 ? `${count / 1_000_000} million certificates` : `${count / 1000} thousand certificates`

const log = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what} …\n`)

function skipWithoutSqld(what: string): Figure[] {
  log(`Skipping ${what}: there is no sqld for this platform`)
  return []
}

/** Returns the resident memory of a process, current and peak, in MB; 0 if the system does not report it. */
function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
  } catch {
    return { now: 0, peak: 0 }
  }
}

/**
 * Creates a database with the demo's accounts, a register of the given size, and verifications by a twentieth as many accounts.
 */
async function createDatabase(
  folder: string,
  certificates: number,
  verifications: number,
): Promise<{ file: string; dataSizes: DataSizes }> {
  const file = path.join(folder, `${certificates}.db`)
  const users = Math.ceil(verifications / 20)
  // The product migrates and seeds the database when it starts.
  await (await startProduct('deno', file)).stop()
  const client = openFile(file, { timeout: 5000 })
  await client.execute('pragma synchronous = off')
  await addCertificates(client, certificates)
  await addUsers(client, users)
  await addVerifications(client, { count: verifications, users })
  // Rolls up the statistics now, as the scheduler would by the next day.
  const database = openDatabase(client, { serialiseWrites: true })
  while (await rollUp(database, Date.now()));
  await client.execute('pragma wal_checkpoint(truncate)')
  client.close()
  return { file, dataSizes: { certificates, verifications, users } }
}

const p99 = (what: string, durations: readonly number[]) =>
  singleFigure(
    `${what}, p99`,
    percentile(durations, 0.99),
    'ms',
    `${durations.length} calls, median ${formatNumber(percentile(durations, 0.5))} ms, longest ${formatNumber(Math.max(...durations))} ms`,
  )

/** Measures one upload (times in seconds) while lists are requested and, with `writes`, addresses are changed. */
async function uploadOnce(folder: string, csv: string, { writes: hasWrites }: { writes: boolean }) {
  const product = await startProduct('deno', path.join(folder, `upload-${hasWrites}.db`))
  try {
    const before = memoryOf(product.pid)
    const staff = await signIn(product.url, personas.admin.email)
    const cpuBefore = cpuTime(product.pid)
    const writtenBefore = bytesWritten(product.pid)
    const user = await signIn(product.url, personas.user.email)
    const { result, lists, writes } = await measureCallsDuring(
      { url: product.url, staff, ...(hasWrites && { user }) },
      () => upload(product.url, staff, csv),
    )
    const cpu = cpuTime(product.pid) - cpuBefore
    const memory = memoryOf(product.pid).peak - before.now
    const written = (bytesWritten(product.pid) - writtenBefore) / 1e6
    return { time: result.durationMs / 1000, cpu, memory, written, lists, writes }
  } finally {
    await product.stop()
  }
}

async function measureUpload(folder: string): Promise<Figure[]> {
  const csv = path.join(folder, 'upload.csv')
  await writeCsv(csv, sizes.upload)
  const withLists = await uploadOnce(folder, csv, { writes: false })
  const withWrites = await uploadOnce(folder, csv, { writes: true })
  const reference = hasSqliteCommand()
    ? await importByCommandLine(csv, path.join(folder, 'import.db'), sizes.upload)
    : undefined
  const figuresOf = (calls: string, { time, cpu, memory, written, lists, writes }: typeof withLists) => {
    const what = `Upload of ${sizes.upload} rows with ${calls}`
    const duringUpload = `during the upload with ${calls}`
    return [
      reference
        ? compareFigures(what, [time, 's'], ['sqlite3 command line', reference.durationMs / 1000])
        : singleFigure(what, time, 's', 'sqlite3 is not installed'),
      reference
        ? compareFigures(`${what}: CPU time`, [cpu, 's'], ['sqlite3 command line', reference.cpuSeconds])
        : singleFigure(`${what}: CPU time`, cpu, 's'),
      singleFigure(
        `Memory of the API above its start, at the peak of the upload with ${calls}`,
        memory,
        'MB',
      ),
      singleFigure(`Bytes written by the upload with ${calls}`, written, 'MB'),
      p99(`A list ${duringUpload}`, lists),
      ...(writes.length > 0 ? [p99(`A change of an address ${duringUpload}`, writes)] : []),
    ]
  }
  return [...figuresOf('lists', withLists), ...figuresOf('lists and changes', withWrites)]
}

async function measureRuntimes(folder: string): Promise<Figure[]> {
  // The first hundredth of the verifications (here numbers 0 to 9) belongs to the demo user.
  const { file } = await createDatabase(folder, 1000, 1000)
  const transaction = `CVF${'7'.padStart(21, '0')}`
  const figures: Figure[] = []
  for (const runtime of ['deno', 'node'] satisfies Runtime[]) {
    const name = runtime === 'deno' ? 'Deno' : 'Node'
    const product = await startProduct(runtime, file)
    const bare = await startBare(runtime, file)
    // On Node, the bare server already uses the product's HTTP server, so there is nothing else to measure.
    const bareOnProductServer = runtime === 'deno' ? await startBare(runtime, file, true) : bare
    const servers = { product, bare, bareOnProductServer }
    try {
      figures.push(singleFigure(`${name}: cold start to the first response`, product.startedIn, 'ms'))
      figures.push(singleFigure(`${name}: memory after the start`, memoryOf(product.pid).now, 'MB'))
      figures.push(...(await measureThroughput(name, servers, { requests: sizes.requests, transaction })))
      figures.push(singleFigure(`${name}: memory after that load`, memoryOf(product.pid).now, 'MB'))
    } finally {
      await Promise.all([...new Set([product, bare, bareOnProductServer])].map(item => item.stop()))
    }
  }
  if (isSqldAvailable) {
    const worker = await startWorkerPortal()
    figures.push(singleFigure('workerd: cold start with a new database', worker.startedIn, 'ms'))
    await worker.stop()
  } else skipWithoutSqld('workerd')
  return figures
}

/** Measures the same calls, in turn, at portals with registers of all sizes. */
async function measureGrowthAtAllSizes(folder: string): Promise<string> {
  const sized: SizedPortal[] = []
  try {
    for (const [index, certificates] of sizes.certificates.entries()) {
      log(`Creating ${sizeLabel(certificates)}`)
      const { file, dataSizes } = await createDatabase(folder, certificates, sizes.verifications[index] ?? 0)
      sized.push({ name: sizeLabel(certificates), server: await startProduct('deno', file), dataSizes })
    }
    log('Measuring')
    return await measureGrowth(sized, sizes.times)
  } finally {
    await Promise.all(sized.map(({ server }) => server.stop()))
  }
}

/** Measures the API for organisations; in its database, the demo's organisation has made no verifications yet. */
async function measureApiKeys(folder: string): Promise<Figure[]> {
  const { file } = await createDatabase(folder, 10_000, 1000)
  const [product, bare] = [await startProduct('deno', file), await startBare('deno', file)]
  try {
    return await measureKeys({
      product,
      bare,
      file,
      requests: sizes.requests,
      transaction: `CVF${'7'.padStart(21, '0')}`,
      // Skips the first thousand certificates, which other accounts have verified.
      numbers: Array.from({ length: sizes.batch }, (_, index) => certificateNumberAt(index + 2000)),
    })
  } finally {
    await Promise.all([product.stop(), bare.stop()])
  }
}

/** Measures the registrar's work on the medium-sized register, compared with plain SQL. */
async function measureRegistrar(folder: string): Promise<Figure[]> {
  const { file } = await createDatabase(folder, sizes.register, 1000)
  const server = await startProduct('deno', file)
  try {
    const [times, editedCount] = quick ? [50, 5000] : [200, 100_000]
    return [
      ...(await measureRegister({ server, file, times, editedCount, readMemory: memoryOf })),
      ...(await measureWorstLists(path.join(folder, 'worst.db'), sizes.register)),
    ]
  } finally {
    await server.stop()
  }
}

/** Runs one part of the benchmark and returns its table in Markdown. */
type Part = (folder: string) => Promise<string>

const table =
  (measure: (folder: string) => Promise<Figure[]>): Part =>
  async folder =>
    toTable(await measure(folder))

const parts: Record<string, Part> = {
  runtimes: table(measureRuntimes),
  payments: table(folder => measurePayments(folder, sizes.payments)),
  rows: async folder =>
    isSqldAvailable
      ? await measureRows(path.join(folder, 'rows'), sizes.verified)
      : toTable(skipWithoutSqld('rows')),
  letters: table(measureLetters),
  upload: table(measureUpload),
  register: table(measureRegistrar),
  keys: table(measureApiKeys),
  growth: measureGrowthAtAllSizes,
  pages: table(measurePages),
  cluster: async folder =>
    isSqldAvailable ? await measureCluster(folder, sizes.verified * 2) : toTable(skipWithoutSqld('cluster')),
  costs: table(async folder =>
    isSqldAvailable ? await measureCosts(folder, sizes.verified) : skipWithoutSqld('costs'),
  ),
}

/** Returns the names of the requested parts: those of `--only`, or all. */
function requestedParts(): string[] {
  const position = process.argv.indexOf('--only')
  const names = position < 0 ? Object.keys(parts) : (process.argv[position + 1] ?? '').split(',')
  const unknown = names.filter(name => !Object.hasOwn(parts, name))
  if (unknown.length === 0) return names
  process.stderr.write(`--only takes a comma-separated list of: ${Object.keys(parts).join(', ')}.\n`)
  process.exit(1)
}

const names = requestedParts()
const folder = await mkdtemp(path.join(tmpdir(), 'portal-bench-'))
process.stdout.write(
  `${new Date().toISOString().slice(0, 10)}, ${process.platform} on ${process.arch}, ${availableParallelism()} cores${quick ? ', --quick' : ''}\n`,
)
try {
  for (const name of names) {
    log(name)
    // Printed immediately, so that a later failure loses no results.
    process.stdout.write(`\n### ${name}\n\n${await parts[name]?.(folder)}\n`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
