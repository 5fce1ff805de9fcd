import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { makeCertificate } from '@portal/fixtures/factories'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { createRandom } from '@portal/fixtures/random'
import { expect } from 'vitest'
import { createEmptyRecord, expectAcknowledged, keepWriting, type WrittenData } from './kill-writes.ts'
import {
  type Account,
  control,
  endPaymentAtGateway,
  eventually,
  newAccount,
  request,
  signIn,
  staffToken,
} from './portal.ts'
import { type RunningPortal, startPortal } from './servers/portal-server.ts'

/*
 * Kills a whole portal and its gateway with SIGKILL repeatedly while payments are started, paid, synced,
 * delivered and reconciled, and while other data is written too. Then checks the invariants.
 */

interface AcknowledgedPayment {
  id: string
  reference: string
}

/** Number of payments started in one round. */
const PAYMENTS_PER_ROUND = 6
/** Maximum lifetime of the portal after it has made enough writes, in milliseconds. */
const MAX_LIFETIME_MS = 1000

type Tokens = Record<'payer' | 'admin', string>

/** Starts a payment, and records it if the start was acknowledged. */
async function startPayment(
  portal: RunningPortal,
  { payer, admin }: Tokens,
  acknowledged: AcknowledgedPayment[],
): Promise<AcknowledgedPayment> {
  const certificate = makeCertificate()
  await request('POST', '/admin/certificates', { token: admin, body: certificate, portal })
  const { certificate_number } = certificate
  const { status, body } = await request('POST', '/verification/process-payment', {
    token: payer,
    body: { certificate_number },
    portal,
  })
  expect(status).toBe(200)
  const started = { id: String(body.transaction_id), reference: String(body.payment_reference) }
  acknowledged.push(started)
  return started
}

/** Makes all calls that affect a payment, in parallel; most of them never get a response. */
function makeAllPaymentCalls(portal: RunningPortal, payment: AcknowledgedPayment, tokens: Tokens) {
  const readStatus = () =>
    request('GET', `/verification/check-verification-status/${payment.id}`, {
      token: tokens.payer,
      portal,
    })
  const body = { date: new Date().toISOString().slice(0, 10) }
  return Promise.allSettled([
    readStatus(),
    control('redeliver', { request_id: payment.reference }, portal),
    request('POST', `/admin/bpms/reconcile/${payment.id}`, { token: tokens.admin, portal }),
    request('POST', '/admin/bpms/reconcile', { token: tokens.admin, body, portal }),
    readStatus(),
  ])
}

/** The acknowledged writes, by kind. */
interface AcknowledgedWrites {
  payments: AcknowledgedPayment[]
  otherWrites: WrittenData
  counter: { next: number }
}

const countWrites = ({ payments, otherWrites }: AcknowledgedWrites) =>
  payments.length + otherWrites.accounts.length + otherWrites.certificates.size + otherWrites.deleted.length

const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

/** Starts and pays payments and makes other writes, and kills the portal in the meantime. Records acknowledged writes. */
async function writeUntilKilled(
  portal: RunningPortal,
  account: Account,
  { minWrites, lifetime }: { minWrites: number; lifetime: number },
  writes: AcknowledgedWrites,
): Promise<void> {
  const { token: payer } = await signIn(account.email, account.password, portal)
  const tokens = { payer, admin: await staffToken('admin', portal) }
  const writesBefore = countWrites(writes)
  const accountsBefore = writes.otherWrites.accounts.length
  async function kill(): Promise<void> {
    const deadline = Date.now() + WAIT_TIMEOUT_MS
    const hasEnoughWrites = () =>
      minWrites === 0 ||
      (countWrites(writes) - writesBefore >= minWrites && writes.otherWrites.accounts.length > accountsBefore)
    while (!hasEnoughWrites() && Date.now() < deadline) await pause(5)
    // The process is killed at a random time. This is the fault itself, not a wait for a condition.
    await pause(lifetime)
    process.kill(portal.pids.portal ?? 0, 'SIGKILL')
  }
  const killed = kill()
  await Promise.allSettled([
    ...Array.from({ length: PAYMENTS_PER_ROUND }, async () => {
      const payment = await startPayment(portal, tokens, writes.payments)
      await endPaymentAtGateway(payment.reference, '00', portal)
      await makeAllPaymentCalls(portal, payment, tokens)
    }),
    keepWriting(portal, account, tokens, writes.otherWrites, writes.counter),
  ])
  await killed
  await portal.stop()
}

const readRows = async (folder: string, sql: string) => {
  const client = createClient({ url: `file:${path.join(folder, 'portal.db')}`, timeout: 5000 })
  const { rows } = await client.execute(sql)
  client.close()
  return rows.map(row => ({ ...row }))
}

/** Checks that no payment was lost or paid twice, and that each has one fulfilment, one letter, one mail and a balanced ledger. */
async function expectConsistent(folder: string, acknowledged: readonly AcknowledgedPayment[]): Promise<void> {
  const ids = acknowledged.map(({ id }) => `'${id}'`).join(', ')
  const rows = await readRows(
    folder,
    `select p.status, p.resolution, count(*) as payments,
       (select count(*) from fulfilments f where f.payment_id = p.id) as fulfilments,
       (select count(*) from payment_items i join letters l on l.payment_item_id = i.id where i.payment_id = p.id) as letters,
       (select count(*) from payment_events e where e.payment_id = p.id and e.type = 'paid') as paid,
       (select count(*) from ledger_entries l where l.payment_id = p.id) as entries,
       (select coalesce(sum(amount_minor), 0) from ledger_entries l where l.payment_id = p.id) as balance,
       (select count(*) from outbox o where o.dedupe_key = 'payment:' || p.id) as mails
     from payments p where p.transaction_id in (${ids}) group by 1, 2, 4, 5, 6, 7, 8, 9`,
  )
  expect(rows).toEqual([
    {
      status: 'paid',
      resolution: 'verified',
      payments: acknowledged.length,
      fulfilments: 1,
      letters: 1,
      paid: 1,
      entries: 2,
      balance: 0,
      mails: 1,
    },
  ])
}

/** Checks that each payment's mail was sent, and exists only once, although the portal died while sending. */
async function expectMailedOnce(folder: string, acknowledged: readonly AcknowledgedPayment[]): Promise<void> {
  await eventually(async () => {
    const [row] = await readRows(
      folder,
      "select count(*) as waiting from outbox where dedupe_key like 'payment:%' and delivered_at is null",
    )
    return row?.waiting === 0 ? row : undefined
  }, 'every mail to be sent')
  const mailbox = path.join(folder, 'mailbox')
  const names = (await readdir(mailbox)).filter(name => name.endsWith('.json'))
  const mails = await Promise.all(names.map(name => readFile(path.join(mailbox, name), 'utf8')))
  const counts = acknowledged.map(({ reference }) => mails.filter(mail => mail.includes(reference)).length)
  expect(counts).toEqual(acknowledged.map(() => 1))
}

/**
 * Kills a portal `kills` times while payments are paid and other data is written, then lets the scheduler of another
 * portal complete the unfinished work.
 * @param seed the seed of the random times of the kills
 * @returns a description of the acknowledged work
 */
export async function killWhileWriting(kills: number, seed: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-'))
  const random = createRandom(seed)
  let portal: RunningPortal | undefined
  try {
    portal = await startPortal({ FOLDER: folder })
    const account = await newAccount({}, portal)
    const acknowledged: AcknowledgedPayment[] = []
    const writes: AcknowledgedWrites = {
      payments: acknowledged,
      otherWrites: createEmptyRecord(),
      counter: { next: 1 },
    }
    for (let kill = 0; kill < kills; kill++) {
      // Every third portal is killed immediately.
      const minWrites = kill % 3 === 2 ? 0 : 8
      await writeUntilKilled(portal, account, { minWrites, lifetime: random.int(0, MAX_LIFETIME_MS) }, writes)
      // The clock of the next portal is ten minutes ahead, so that all waiting work is due.
      portal = await startPortal({ FOLDER: folder, CLOCK_OFFSET_SECONDS: String((kill + 1) * 600) })
    }
    const lastPortal = portal
    const { token: payer } = await signIn(account.email, account.password, lastPortal)
    const admin = await staffToken('admin', lastPortal)
    // Ensures that there is at least one payment, even if all kills came early.
    await startPayment(lastPortal, { payer, admin }, acknowledged)
    for (const { reference } of acknowledged) await endPaymentAtGateway(reference, '00', lastPortal)
    const ids = acknowledged.map(({ id }) => `'${id}'`).join(', ')
    await eventually(async () => {
      const [row] = await readRows(
        folder,
        `select count(*) as paid from payments where status = 'paid' and transaction_id in (${ids})`,
      )
      return row?.paid === acknowledged.length ? row : undefined
    }, 'every payment to be paid')
    await expectConsistent(folder, acknowledged)
    const days = await readRows(
      folder,
      `select distinct date(created_at / 1000, 'unixepoch') as date from payments where transaction_id in (${ids})`,
    )
    for (const body of days) {
      const response = await request('POST', '/admin/bpms/reconcile', {
        token: admin,
        body,
        portal: lastPortal,
      })
      expect(response).toMatchObject({ status: 200, body: { mismatches: [] } })
    }
    await expectConsistent(folder, acknowledged)
    await expectMailedOnce(folder, acknowledged)
    await expectAcknowledged(sql => readRows(folder, sql), account, writes.otherWrites)
    const { accounts, certificates, deleted, uploaded } = writes.otherWrites
    return `${acknowledged.length} payments, ${accounts.length} accounts, ${certificates.size + deleted.length} certificates and ${uploaded.length} uploaded rows were acknowledged, none lost`
  } finally {
    await portal?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
