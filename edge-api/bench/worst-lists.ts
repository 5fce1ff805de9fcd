import process from 'node:process'
import type { Client } from '@libsql/client'
import { type RegisterFilters, type RegisterSort, registerSorts } from '@portal/contract/register-filters'
import { listRegister } from '../src/certificates/list-store.ts'
import { openDatabase } from '../src/db/database.ts'
import { openFile } from '../src/db/file-client.ts'
import { migrate } from '../src/db/migrate.ts'
import { type Figure, formatNumber, singleFigure } from './figures.ts'

/*
 * Measures every filter and search in every sort order, on a register built as the worst case: the matches of each filter are
 * at one end of every sort order, so a scan of the index in one of the two directions finds them last. Within a group of rows,
 * the orders are unrelated to each other.
 */

const CHUNK_SIZE = 100_000
const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2020, 0, 1)

/** Boundaries of the groups, as shares of all rows. Every sort order has the groups in this sequence. */
const GROUPS = [0, 0.06, 0.5, 0.94, 1]

/** Returns SQL for a permutation of the `count` numbers from `start`; `step` and `count` must have no common factor. */
const shuffleSql = (step: number, count: number, start: number) =>
  `(${start} + ((i - ${start}) * ${step} + 11) % ${count})`

async function addGroup(client: Client, name: string, from: number, to: number): Promise<void> {
  const size = to - from
  const [number, person, day] = [7919, 104_729, 15_485_863].map(step => shuffleSql(step, size, from))
  const half = name < 'g3' ? 'low' : 'high'
  for (let low = from; low < to; low += CHUNK_SIZE)
    await client.execute(`
      insert into certificates (seq, id, certificate_number, student_name, matric_number, course, graduation_date, grade,
        department, uploader_email, uploaded_at, updated_at, folded, upload_seq)
      with recursive n(i) as (select ${low} union all select i + 1 from n where i < ${Math.min(to, low + CHUNK_SIZE) - 1}),
        rows(i, number, name, day) as (select i, printf('UG/${name}/%07d', ${number}), printf('person ${name} %07d', ${person}),
          date('1950-01-01', '+' || (${day} / 50) || ' days') from n)
      select i + 1, printf('w%035d', i), number, name, printf('MAT/${name}/%07d', ${number}), 'Course ${name}', day, 'Grade ${half}',
        'Department ${half}', '${name}@registry.example', ${FIRST_DAY} + i / 1000 * ${DAY}, ${FIRST_DAY} + i / 1000 * ${DAY},
        lower(number) || char(10) || name || char(10) || 'course ${name} of ${half}', iif(${Number(name === 'g1')}, 1, 2)
      from rows`)
}

const LETTER_COLUMNS =
  'code, ref_number, payment_item_id, user_id, certificate_id, template, status, issued_at, status_at'

/** Adds letters for the certificates with these `seq`, without the payments that letters usually have. */
async function addLetters(client: Client, from: number, to: number): Promise<void> {
  await client.execute('pragma foreign_keys = off')
  await client.execute(`
    insert into letters (${LETTER_COLUMNS})
    select 'L' || seq, 'R' || seq, 'P' || seq, 'u', id, '{}', 'valid', 0, 0 from certificates where seq between ${from} and ${to}`)
}

/** Fills an empty register with `count` certificates. */
async function addWorstCase(client: Client, count: number): Promise<void> {
  const { rows } = await client.execute("select sql from sqlite_master where name = 'index_certificate'")
  await client.execute('drop trigger index_certificate')
  for (const index of [0, 1, 2, 3])
    await addGroup(
      client,
      `g${index + 1}`,
      Math.round((GROUPS[index] ?? 0) * count),
      Math.round((GROUPS[index + 1] ?? 0) * count),
    )
  await client.execute("insert into certificate_search (certificate_search) values ('rebuild')")
  await client.execute(String(rows[0]?.sql))
  for (const [seq, id] of [
    [1, 'first'],
    [2, 'second'],
  ] as const)
    await client.execute(`
      insert into uploads (seq, id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at)
      values (${seq}, '${id}', 'u', 'u', 'f', 0, 'skip', 'done', 0)`)
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Returns filters whose matches are all at one end of every order. */
function filtersOf(count: number): Record<string, Partial<RegisterFilters>> {
  const boundary = (group: number) => Math.round((GROUPS[group] ?? 0) * count)
  const graduated = (group: number) => dayOf(Date.UTC(1950, 0, 1) + Math.ceil(boundary(group) / 50) * DAY)
  const uploaded = (group: number) => dayOf(FIRST_DAY + Math.ceil(boundary(group) / 1000) * DAY)
  const filters: Record<string, Partial<RegisterFilters>> = {
    'first upload': { upload_id: 'first' },
    'second upload': { upload_id: 'second' },
    'with letters': { letters: 'with' },
    'without letters': { letters: 'without' },
    'everything found': { search: 'ug/' },
    'all names': { search: 'person' },
    'all matric numbers': { search: 'mat' },
    'low by word': { search: 'low' },
    'high by word': { search: 'high' },
    'low by grade': { grade: 'Grade low' },
    'high by department': { department: 'Department high' },
  }
  for (const group of [1, 2, 3])
    Object.assign(filters, {
      [`graduated before g${group + 1}`]: { graduated_to: graduated(group) },
      [`graduated from g${group + 1}`]: { graduated_from: graduated(group) },
      [`uploaded before g${group + 1}`]: { uploaded_to: uploaded(group) },
      [`uploaded from g${group + 1}`]: { uploaded_from: uploaded(group) },
    })
  for (const group of ['g1', 'g2', 'g3', 'g4'])
    Object.assign(filters, {
      [`course ${group}`]: { course: `Course ${group}` },
      [`uploader ${group}`]: { uploader: `${group}@registry.example` },
      [`matric ${group}`]: { search: `MAT/${group}` },
      [`number ${group}`]: { search: `UG/${group}` },
      [`word ${group}`]: { search: `${group}` },
      [`two words ${group}`]: { search: `person course ${group} of` },
    })
  return filters
}

interface TimedList {
  filter: string
  sort: RegisterSort
  page: number
  cpuMs: number
}

/** Measures the first and the last page of every filter in every order. `cpuMs` is the median of three runs. */
async function timeLists(file: string, count: number): Promise<TimedList[]> {
  const client = openFile(file, { timeout: 60_000 })
  const { read } = openDatabase(client, { serialiseWrites: true })
  const timedLists: TimedList[] = []
  for (const [filter, filters] of Object.entries(filtersOf(count)))
    for (const sort of registerSorts)
      for (const page of [1, 500]) {
        const cpuTimes: number[] = []
        for (let run = 0; run < 3; run++) {
          const started = process.cpuUsage()
          await listRegister(read, { filters: { search: '', ...filters }, sort, page, perPage: 20 })
          const { user, system } = process.cpuUsage(started)
          cpuTimes.push((user + system) / 1000)
        }
        timedLists.push({ filter, sort, page, cpuMs: cpuTimes.toSorted((a, b) => a - b)[1] ?? 0 })
      }
  client.close()
  return timedLists
}

/** Returns the figures of the slowest lists, in the default order (newest first) and in the other orders. */
export async function measureWorstLists(file: string, count: number): Promise<Figure[]> {
  const client = openFile(file, { timeout: 60_000 })
  await client.execute('pragma journal_mode = wal')
  await migrate(client)
  await client.execute('pragma synchronous = off')
  await addWorstCase(client, count)
  await addLetters(client, 1, count / 10)
  await client.execute('pragma wal_checkpoint(truncate)')
  client.close()
  const timedLists = await timeLists(file, count)
  const describeSlowest = (what: string, lists: readonly TimedList[]) => {
    const slowestFirst = lists.toSorted((a, b) => b.cpuMs - a.cpuMs)
    const [worst, middle] = [slowestFirst[0], slowestFirst[slowestFirst.length >> 1]]
    if (!worst || !middle) throw new Error('no list was read')
    const comparison = `${worst.filter}, ${worst.sort}, page ${worst.page}; median ${formatNumber(middle.cpuMs)} ms`
    return singleFigure(`Slowest of ${lists.length} lists, ${what}, CPU time`, worst.cpuMs, 'ms', comparison)
  }
  return [
    describeSlowest(
      'newest first',
      timedLists.filter(({ sort }) => sort === '-uploaded_at'),
    ),
    describeSlowest(
      'in other orders',
      timedLists.filter(({ sort }) => sort !== '-uploaded_at'),
    ),
  ]
}
