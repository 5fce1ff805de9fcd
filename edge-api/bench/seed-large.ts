import type { Client } from '@libsql/client'
import { makeCertificate } from '@portal/fixtures/factories'
import { demoInstitution, demoSignatory } from '@portal/fixtures/institution'
import { personas } from '@portal/fixtures/personas'
import { buildLetter } from '@portal/letter/model'

/*
 * Creates a register and a history of any size for benchmarks. The rows are created inside SQLite and go through the product's
 * own triggers, so that counters are correct. Only the search index is built at the end, because building it row by row takes
 * long.
 */

const CHUNK_SIZE = 100_000
const NOW = Date.UTC(2026, 5, 1)
const YEAR = 365 * 86_400_000

const certificate = makeCertificate()
const quote = (value: unknown) => JSON.stringify(value).replaceAll("'", "''")
const SNAPSHOT = quote({ ...certificate, matric_number: undefined })
const TEMPLATE = quote(
  buildLetter({
    institution: demoInstitution,
    letterHolder: { name: 'Demo User', address: 'Company, 1 Some Street, Lagos, Nigeria' },
    certificate,
    refNumber: 'B/1',
    issuedAt: new Date(NOW),
    signature: demoSignatory,
  }),
)

const numbersCte = (from: number, to: number) =>
  `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to - 1})`

async function inChunks(total: number, work: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < total; from += CHUNK_SIZE) await work(from, Math.min(total, from + CHUNK_SIZE))
}

/** Adds certificates with numbers from `UG/20yy/0000000` upwards, with names and courses in random order. */
export async function addCertificates(client: Client, count: number): Promise<void> {
  await client.execute('create table people (person integer primary key, name, course, grade, department)')
  const people = Array.from({ length: 2000 }, () => makeCertificate())
  await client.batch(
    people.map((person, i) => ({
      sql: 'insert into people values (?, ?, ?, ?, ?)',
      args: [i, person.student_name, person.course, person.grade, person.department],
    })),
  )
  const { rows } = await client.execute("select sql from sqlite_master where name = 'index_certificate'")
  await client.execute('drop trigger index_certificate')
  await inChunks(count, (from, to) =>
    client.execute(
      `insert into certificates (id, certificate_number, student_name, matric_number, course, graduation_date, grade,
         department, uploaded_at, updated_at, folded)
       ${numbersCte(from, to)}
       select printf('c%011d', i), printf('UG/20%02d/%07d', 10 + i % 15, i), name || ' ' || (i % 977), 'MAT/' || i, course,
         printf('20%02d-07-%02d', 10 + i % 15, 10 + i % 18), grade, department, ${NOW} - ${YEAR} + (i % 300) * 86400000,
         ${NOW}, lower(printf('UG/20%02d/%07d', 10 + i % 15, i) || char(10) || name || ' ' || (i % 977) || char(10) || course)
       from n join people on person = (i * 7919) % 2000`,
    ),
  )
  await client.execute("insert into certificate_search (certificate_search) values ('rebuild')")
  await client.execute(String(rows[0]?.sql))
  await client.execute('drop table people')
}

/** Adds accounts. Ten accounts at a time name the same organisation in their address. */
export async function addUsers(client: Client, count: number): Promise<void> {
  const createdAt = `${NOW} - ${YEAR} + i * (${YEAR} / ${count})`
  await inChunks(count, (from, to) =>
    client.execute(
      `insert into users (id, email, firstname, lastname, address, password_hash, role, is_enabled, verified_at, created_at, updated_at)
       ${numbersCte(from, to)}
       select printf('u%07d', i), printf('person%07d@mail%02d.example', i * 7919 % 10000019, i % 90),
         printf('%s%s', char(65 + i % 26), substr('adaobichiefetundekemimusa', 1 + i % 20, 5)),
         printf('%s%s', char(65 + i * 7 % 26), substr('balogunokaforibrahimadeyemi', 1 + i * 13 % 22, 6)),
         printf('Organisation %d, %d Some Street, Lagos, Nigeria', i / 10, i), '-', 'user', 1, ${createdAt}, ${createdAt}, ${createdAt} from n`,
    ),
  )
}

/**
 * Adds verifications of the first certificates: the first hundredth by the demo user, the others by the added users in turn. Of
 * every thousand payments, ten are failed and one is pending; the others are paid and delivered.
 */
export async function addVerifications(
  client: Client,
  { count, users }: { count: number; users: number },
): Promise<void> {
  const user = `iif(i < ${count / 100}, '${personas.user.id}', printf('u%07d', i * 613 % ${users}))`
  const email = `iif(i < ${count / 100}, '${personas.user.email}', printf('person%07d@mail.example', i * 613 % ${users}))`
  const createdAt = `${NOW} - ${YEAR} + i * (${YEAR} / ${count})`
  const number = `printf('UG/20%02d/%07d', 10 + i % 15, i)`
  const status = `case i % 1000 when 777 then 'pending' else iif(i % 100 = 99, 'failed', 'paid') end`
  const wherePaid = 'where i % 1000 <> 777 and i % 100 <> 99'
  const statements = [
    `insert into payments (id, transaction_id, user_id, provider, provider_reference, mode, amount_minor, currency,
       amount_paid_minor, status, resolution, unknown_policy, created_at, updated_at, paid_at, expires_at)
     N select printf('p%011d', i), printf('CVF%021d', i), ${user}, 'demo', printf('R%012d', i), 'test', 500000, 'NGN',
       iif(${status} = 'paid', 500000, null), ${status}, iif(${status} = 'paid', 'verified', null), 'free', ${createdAt}, ${createdAt},
       iif(${status} = 'paid', ${createdAt}, null), ${createdAt} from n`,
    `insert into payment_items (id, payment_id, user_id, certificate_number, amount_minor, created_at, open,
       result, result_at, tally)
     N select printf('i%011d', i), printf('p%011d', i), ${user}, ${number}, 500000, ${createdAt}, i % 1000 = 777,
       case ${status} when 'pending' then 'pending' when 'paid' then 'success' else 'failed' end, ${createdAt},
       iif(${status} = 'paid', 'found', 'none') from n`,
    `insert into fulfilments (payment_item_id, payment_id, user_id, certificate_number, outcome, certificate_id, snapshot, at)
     N select printf('i%011d', i), printf('p%011d', i), ${user}, ${number}, 'verified', printf('c%011d', i),
       '${SNAPSHOT}', ${createdAt} from n ${wherePaid}`,
    `insert into letters (code, ref_number, payment_item_id, user_id, certificate_id, template, snapshot, status, issued_at,
       status_at)
     N select printf('L%011d', i), printf('B/%011d', i), printf('i%011d', i), ${user}, printf('c%011d', i),
       '${TEMPLATE}', '${SNAPSHOT}', 'valid', ${createdAt}, ${createdAt} from n ${wherePaid}`,
    `insert into ledger_entries (payment_id, account, amount_minor, currency, reason, at)
     N select printf('p%011d', i), iif(side, 'gateway_clearing', 'revenue'), iif(side, 500000, -500000), 'NGN',
       'payment received', ${createdAt} from n, (select 1 as side union all select 0) ${wherePaid}`,
    `insert into activity_log (user_id, user_email, activity, type, status, details, at)
     N select iif(i % 50 = 0, '${personas.admin.id}', ${user}), iif(i % 50 = 0, '${personas.admin.email}', ${email}),
       iif(i % 50 = 0, 'Certificate updated', 'Certificate verified'), iif(i % 50 = 0, 'admin', 'verification'), 'success',
       ${number}, ${createdAt} from n`,
  ]
  await inChunks(count, (from, to) =>
    client.batch(
      [
        ...statements.map(statement => statement.replace('N select', `${numbersCte(from, to)} select`)),
        // Marks every entry as already hashed, so that the scheduler has nothing to do. The values do not form a real hash
        // chain.
        'update activity_log set hash = hex(id) where hash is null',
      ],
      'write',
    ),
  )
}
