import { execFileSync } from 'node:child_process'
import { createWriteStream, openAsBlob, readFileSync } from 'node:fs'
import { createClient } from '@libsql/client'
import { makeCertificate } from '@portal/fixtures/factories'
import { migrate } from '../src/db/migrate.ts'

/*
 * Compares the upload of a large file with an import by the sqlite3 command line, for the benchmark table and for the test of a
 * million rows.
 */

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department'

/** Writes a CSV file with thousands of people and courses, as a university would have, and numbers in random order. */
export async function writeCsv(file: string, rows: number, prefix = 'UG'): Promise<void> {
  const out = createWriteStream(file)
  out.write(`${HEADER}\n`)
  const people = Array.from({ length: 2000 }, () => makeCertificate())
  for (let row = 1; row <= rows; row++) {
    const person = people[(row * 7919) % people.length]
    const number = String((row * 611_953) % 9_999_991).padStart(7, '0')
    const line = `${prefix}/20${10 + (row % 15)}/${number},${person?.student_name} ${row % 977},MAT/${row},${person?.course},20${10 + (row % 15)}-07-${10 + (row % 18)},${person?.grade},${person?.department}\n`
    if (!out.write(line)) await new Promise<void>(resolve => out.once('drain', resolve))
  }
  await new Promise<void>(resolve => out.end(() => resolve()))
}

/** Uploads the file over HTTP. @returns the duration in milliseconds, and the lines of the streamed response */
export async function upload(
  url: string,
  token: string,
  csv: string,
): Promise<{ durationMs: number; lines: string[] }> {
  const body = new FormData()
  body.append('file', await openAsBlob(csv), 'large.csv')
  const started = performance.now()
  const response = await fetch(`${url}/api/admin/certificates/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
    body,
  })
  const text = await response.text()
  if (response.status !== 201)
    throw new Error(`the upload was refused: ${response.status} ${text.slice(0, 200)}`)
  return { durationMs: performance.now() - started, lines: text.trim().split('\n') }
}

/** True if the sqlite3 command line is installed. */
export function hasSqliteCommand(): boolean {
  try {
    execFileSync('sqlite3', ['--version'])
    return true
  } catch {
    return false
  }
}

/**
 * Imports the same file with the sqlite3 command line into a database with the portal's own schema, indexes and triggers.
 * @returns the duration in milliseconds, and the CPU time in seconds
 */
export async function importByCommandLine(
  csv: string,
  file: string,
  rows: number,
): Promise<{ durationMs: number; cpuSeconds: number }> {
  const client = createClient({ url: `file:${file}` })
  await client.execute('pragma journal_mode = wal')
  await migrate(client)
  client.close()
  const started = performance.now()
  const statements = [
    'pragma synchronous = full',
    // As large as the page cache of the portal's own connections.
    'pragma cache_size = -32768',
    `create temp table sheet (certificate_number, student_name, matric_number, course, graduation_date, grade, department)`,
    `.import --csv --skip 1 ${csv} sheet`,
    `insert into certificates (id, certificate_number, student_name, matric_number, course, graduation_date, grade,
       department, uploader_email, uploaded_at, updated_at, folded)
     select lower(hex(randomblob(16))), certificate_number, student_name, matric_number, course, graduation_date, grade,
       department, 'admin@demo.test', 1795000000000, 1795000000000,
       lower(certificate_number || char(10) || student_name || char(10) || course) from sheet`,
  ]
  // `times` prints the CPU times of the shell, and on the next line those of its commands.
  const times = execFileSync('sh', ['-c', '"$@"; times', 'sh', 'sqlite3', file, ...statements], {
    encoding: 'utf8',
  })
  const durationMs = performance.now() - started
  const count = execFileSync('sqlite3', [file, 'select count(*) from certificates'], { encoding: 'utf8' })
  if (Number(count) !== rows) throw new Error(`the command line imported ${count} rows of ${rows}`)
  const cpuTimes = [...(times.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return {
    durationMs,
    cpuSeconds: cpuTimes.reduce(
      (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
      0,
    ),
  }
}

/** Returns the number of bytes that a process has written to disk, or 0 if the system does not report it. */
export function bytesWritten(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Repeats a call, pausing after each, as long as `isRunning` returns true. @returns the durations in milliseconds */
async function repeat(
  pause: number,
  isRunning: () => boolean,
  call: (index: number) => Promise<Response>,
): Promise<number[]> {
  const durations: number[] = []
  for (let index = 0; isRunning(); index++) {
    const started = performance.now()
    const response = await call(index)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a call was refused: ${response.status}`)
    durations.push(performance.now() - started)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
  return durations
}

/**
 * Requests a list every 50 ms and, if `user` is given, changes an address every 250 ms, until `work` has ended.
 * @param user bearer token of a user
 * @returns the result of `work`, and how long each request durationMs, in milliseconds
 */
export async function measureCallsDuring<T>(
  { url, staff, user }: { url: string; staff: string; user?: string },
  work: () => Promise<T>,
): Promise<{ result: T; lists: number[]; writes: number[] }> {
  let isRunning = true
  const isWorkRunning = () => isRunning
  const headers = { authorization: `Bearer ${user ?? ''}`, 'content-type': 'application/json' }
  try {
    const [result, lists, writes] = await Promise.all([
      work().finally(() => (isRunning = false)),
      repeat(50, isWorkRunning, () =>
        fetch(`${url}/api/admin/certificates?search=UG/2019/00123`, {
          headers: { authorization: `Bearer ${staff}` },
        }),
      ),
      repeat(
        250,
        () => isRunning && user !== undefined,
        index => {
          const body = JSON.stringify({
            firstname: 'Ada',
            lastname: 'Bello',
            phone: '08031234567',
            address: `House ${index}`,
          })
          return fetch(`${url}/api/auth/profile`, { method: 'PUT', headers, body })
        },
      ),
    ])
    return { result, lists, writes }
  } finally {
    isRunning = false
  }
}
