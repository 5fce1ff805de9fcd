import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import { makeCertificate } from '@portal/fixtures/factories'
import { createRandom } from '@portal/fixtures/random'
import { expect } from 'vitest'
import { eventually, newAccount, request, signIn, staffToken } from './portal.ts'
import { type RunningPortal, startPortal } from './servers/portal-server.ts'

/*
 * Kills a whole portal with SIGKILL repeatedly while an organisation verifies and runs batches. Then every hold must
 * belong to a running batch, nothing must have been captured twice, and balance, movements and ledger must agree.
 */

const FEE = 5000
const BATCH_SIZE = 60
const SINGLE_COUNT = 6
/** Maximum lifetime of the portal after its batch has started, in milliseconds. */
const MAX_LIFETIME_MS = 600

const readRows = async (folder: string, sql: string) => {
  const client = createClient({ url: `file:${path.join(folder, 'portal.db')}`, timeout: 5000 })
  const { rows } = await client.execute(sql)
  client.close()
  return rows.map(row => ({ ...row }))
}

/** Sends a call that must succeed. */
export async function callOk(
  portal: RunningPortal,
  method: string,
  requestPath: string,
  token: string,
  body?: unknown,
) {
  const response = await request(method, requestPath, { token, body, portal })
  if (response.status >= 300)
    throw new Error(`${method} ${requestPath}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

/** Adds certificates for one round with one upload. @returns their certificate numbers */
export async function addCertificates(
  portal: RunningPortal,
  token: string,
  count: number,
): Promise<string[]> {
  const rows = Array.from({ length: count }, () => makeCertificate())
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map(row => Object.values(row))].map(row => row.join(','))
  const body = new FormData()
  body.append('file', new File([lines.join('\n')], 'register.csv'))
  const { summary } = await callOk(portal, 'POST', '/admin/certificates/upload', token, body)
  expect(summary.succeeded).toBe(count)
  return rows.map(row => row.certificate_number)
}

interface AcknowledgedWrites {
  /** IDs of acknowledged verifications. */
  verifications: string[]
  /** IDs of acknowledged batches. */
  batches: string[]
}

/** Starts a batch and single verifications, and kills the portal after `lifetime` milliseconds. */
async function verifyUntilKilled(
  portal: RunningPortal,
  {
    id,
    token,
    numbers,
    lifetime,
  }: { id: string; token: string; numbers: readonly string[]; lifetime: number },
  acknowledged: AcknowledgedWrites,
): Promise<void> {
  const body = { certificate_numbers: numbers.slice(0, BATCH_SIZE) }
  const { batch } = await callOk(portal, 'POST', `/organisations/${id}/batches`, token, body)
  acknowledged.batches.push(batch.id)
  // The process is killed at a random time. This is the fault itself, not a wait for a condition.
  const killed = new Promise<void>(resolve => setTimeout(resolve, lifetime)).then(() =>
    process.kill(portal.pids.portal ?? 0, 'SIGKILL'),
  )
  await Promise.allSettled(
    numbers.slice(BATCH_SIZE).map(async certificate_number => {
      const response = await callOk(portal, 'POST', `/organisations/${id}/verifications`, token, {
        certificate_number,
      })
      acknowledged.verifications.push(response.verification.id)
    }),
  )
  await killed
  await portal.stop()
}

/** Waits until no more than `max` batches run; the limit of an organisation is five. */
const waitUntilAtMostRunning = (folder: string, max: number) =>
  eventually(async () => {
    const sql = "select count(*) as running from organisation_batches where status = 'processing'"
    const [row] = await readRows(folder, sql)
    return Number(row?.running) <= max ? row : undefined
  }, `at most ${max} batches to run`)

/** Checks that the organisation's balance, holds, ledger and batches are consistent. */
async function expectConsistent(folder: string, id: string, acknowledged: AcknowledgedWrites): Promise<void> {
  const [money] = await readRows(
    folder,
    `select balance_minor = (select sum(amount_minor) from organisation_movements where organisation_id = o.id) as moved,
       balance_minor = (select -sum(e.amount_minor) from ledger_entries e join payments p on p.id = e.payment_id
         where p.organisation_id = o.id and e.account = 'organisation_balances') as booked,
       held_minor from organisations o where id = '${id}'`,
  )
  expect(money).toEqual({ moved: 1, booked: 1, held_minor: 0 })
  // Each captured hold has exactly one charge, and each charge of a batch has a captured hold.
  const [holds] = await readRows(
    folder,
    `select (select count(*) from organisation_holds where organisation_id = '${id}' and state = 'held') as held,
       (select count(*) from organisation_holds where organisation_id = '${id}' and state = 'captured')
         - (select count(*) from organisation_verifications where organisation_id = '${id}' and source = 'batch' and payment_id is not null) as uncharged`,
  )
  expect(holds).toEqual({ held: 0, uncharged: 0 })
  const chargedTwice = await readRows(
    folder,
    `select certificate_number from organisation_verifications where organisation_id = '${id}' and payment_id is not null
       group by certificate_number having count(*) > 1`,
  )
  expect(chargedTwice).toEqual([])
  const unbalanced = await readRows(
    folder,
    'select payment_id from ledger_entries group by payment_id, currency having sum(amount_minor) <> 0',
  )
  expect(unbalanced).toEqual([])
  const stored = new Set(
    (await readRows(folder, 'select id from organisation_verifications')).map(row => row.id),
  )
  expect(acknowledged.verifications.filter(verification => !stored.has(verification))).toEqual([])
  const items = await readRows(
    folder,
    `select b.id, count(*) as items, sum(i.status = 'verified') as verified from organisation_batches b
       join organisation_batch_items i on i.batch_id = b.id where b.organisation_id = '${id}' group by b.id`,
  )
  const complete = items.filter(
    ({ items: total, verified }) => total === BATCH_SIZE && verified === BATCH_SIZE,
  )
  expect(new Set(complete.map(row => row.id))).toEqual(new Set(acknowledged.batches))
}

/**
 * Kills a portal `kills` times while an organisation verifies, then lets another portal complete the batches.
 * @param seed the seed of the random times of the kills
 * @returns a description of the acknowledged work
 */
export async function killWhileVerifying(kills: number, seed: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-team-'))
  const random = createRandom(seed)
  let portal: RunningPortal | undefined
  try {
    portal = await startPortal({ FOLDER: folder })
    const account = await newAccount({}, portal)
    const { organisation } = await callOk(portal, 'POST', '/organisations', account.token, {
      name: 'Killed Staffing Limited',
      address: { line1: '7 Marina', city: 'Lagos', state: 'Lagos', country: 'Nigeria' },
      contact_email: 'hr@killed.test',
      phone: '+2348105550177',
    })
    const { id } = organisation
    await callOk(
      portal,
      'POST',
      `/admin/organisations/${id}/credits`,
      await staffToken('super_admin', portal),
      {
        amount: kills * (BATCH_SIZE + SINGLE_COUNT) * FEE,
        bank_reference: 'FT KILLED',
        received_on: new Date().toISOString().slice(0, 10),
      },
    )
    const acknowledged: AcknowledgedWrites = { verifications: [], batches: [] }
    for (let kill = 0; kill < kills; kill++) {
      await waitUntilAtMostRunning(folder, ORGANISATION_LIMITS.batches - 1)
      const { token } = await signIn(account.email, account.password, portal)
      const numbers = await addCertificates(
        portal,
        await staffToken('admin', portal),
        BATCH_SIZE + SINGLE_COUNT,
      )
      await verifyUntilKilled(
        portal,
        { id, token, numbers, lifetime: random.int(0, MAX_LIFETIME_MS) },
        acknowledged,
      )
      // The clock of the next portal is ten minutes ahead, so that all waiting work is due.
      portal = await startPortal({ FOLDER: folder, CLOCK_OFFSET_SECONDS: String((kill + 1) * 600) })
    }
    await waitUntilAtMostRunning(folder, 0)
    await expectConsistent(folder, id, acknowledged)
    return `${acknowledged.batches.length} batches of ${BATCH_SIZE} and ${acknowledged.verifications.length} verifications were acknowledged, no hold lost, none captured twice`
  } finally {
    await portal?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
