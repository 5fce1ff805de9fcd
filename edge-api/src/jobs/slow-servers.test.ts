import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { gatewayFetch } from '../adapters/gateway-fetch.ts'
import { sandboxGateway } from '../adapters/gateway-sandbox.ts'
import { smtpMailer } from '../adapters/mailer-smtp.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { insertCallback } from '../payments/inbox-store.ts'
import { createScheduler } from './scheduled-jobs.ts'

/*
 * Checks with real sockets that a mail server or gateway that hangs only delays its own queue. Compares the order of events,
 * not times.
 */

/** Starts a server that accepts every connection and sends nothing, or one byte a second, until it is closed. */
async function startSlowPeer(bytes = '') {
  const sockets = new Set<Socket>()
  const timers = new Set<ReturnType<typeof setInterval>>()
  let requests = 0
  const server = createServer(socket => {
    requests++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.resume()
    if (bytes === '') return
    let index = 0
    const next = () => void socket.write(bytes[index++ % bytes.length] ?? '')
    next()
    timers.add(setInterval(next, 1000))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    async close() {
      for (const timer of timers) clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      await new Promise(closed => server.close(closed))
    },
  }
}

const ITEM_COUNT = 20

let setup: TestSetup
beforeEach(async () => {
  setup = await openTestSetup()
})
afterEach(() => setup.close())

const execute = async (sql: string) => (await setup.database.client.execute(sql)).rows
const enqueue = (to: string) =>
  setup.database.write(tx => enqueueMail(tx, setup.ports, { to, subject: 's', text: 't', html: 'h' }))

/**
 * Creates one item in each queue that needs neither mail server nor gateway.
 * @returns a function that makes a run and checks whether all are done
 */
async function createOtherWork() {
  const { id } = await setup.newUser()
  await execute(`update users set erasure_due_at = 1 where id = '${id}'`)
  await execute(`insert into sessions (id, user_id, created_at, expires_at) values ('old', '${id}', 1, 1)`)
  await execute(`insert into uploads (id, uploader_id, uploader_email, filename, dry_run, on_conflict, state, created_at, lease_until)
    values ('cut off', 'u', 'staff@users.test', 'u.csv', 0, 'fail', 'receiving', 1, 1)`)
  // Later runs are started by a timer, and skip a queue whose earlier run has not ended.
  return async (runs: Promise<unknown>[], run: () => Promise<unknown>) => {
    runs.push(run())
    const [row] = await execute(`select
      (select erased_at is not null from users where id = '${id}') and not exists (select 1 from sessions)
      and (select state = 'interrupted' from uploads) and not exists (select 1 from activity_log where hash is null)
      as done`)
    return row?.done === 1
  }
}

const isPaid = async (reference: string) =>
  (await execute(`select status from payments where provider_reference = '${reference}'`))[0]?.status ===
  'paid'

describe('a mail server', () => {
  test.each([
    ['never responds', ''],
    ['sends one byte a second', '220 slow.test ESMTP\r\n250-slow.test\r\n'],
  ])('that %s delays no other queue', { tags: ['DATA-5'] }, async (_, bytes) => {
    const peer = await startSlowPeer(bytes)
    const { send } = smtpMailer({ url: `smtp://127.0.0.1:${peer.port}`, from: 'no-reply@imole.test' })
    let endedCount = 0
    setup.ports.mailer.send = (mail, signal) => send(mail, signal).finally(() => endedCount++)
    for (let index = 0; index < ITEM_COUNT; index++) await enqueue(`slow${index}@users.test`)
    const isDone = await createOtherWork()
    const { reference } = await setup.newPayment()
    setup.gateway.setOutcome(reference, 'succeeded')
    setup.ports.time += 20_000
    const run = createScheduler(setup.ports, setup.database)
    const runs = [run()]
    await expect.poll(peer.requests).toBeGreaterThan(0)
    await expect.poll(() => isPaid(reference)).toBe(true)
    await expect.poll(() => isDone(runs, run)).toBe(true)
    expect(endedCount).toBe(0)
    setup.ports.end.abort()
    await peer.close()
    await Promise.all(runs)
    // A stopped run sends no more mail; interrupted mails wait, with a reason.
    const delayed = await execute("select reason from deferrals where queue = 'mail'")
    expect(delayed).toHaveLength(endedCount)
    expect(endedCount).toBeGreaterThan(0)
  })
})

describe('a gateway', () => {
  test.each([
    ['never responds', ''],
    ['sends one byte a second', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{'],
  ])('that %s delays neither other queues nor another gateway', { tags: ['DATA-6'] }, async (_, bytes) => {
    const peer = await startSlowPeer(bytes)
    const { ports } = setup
    const payments: string[] = []
    for (let index = 0; index < ITEM_COUNT; index++) payments.push((await setup.newPayment()).reference)
    await execute("update payments set provider = 'slow'")
    const healthy = await setup.newPayment()
    setup.gateway.setOutcome(healthy.reference, 'succeeded')
    const slow = sandboxGateway({
      url: `http://127.0.0.1:${peer.port}`,
      webhookSecret: 'webhook-secret-of-the-unit-tests',
      fetch: gatewayFetch(fetch, ports),
    })
    let endedCount = 0
    ports.gateways = {
      ...ports.gateways,
      slow: {
        ...slow,
        requery: (...args) => slow.requery(...args).finally(() => endedCount++),
      },
    }
    for (const reference of payments)
      await setup.database.write(tx =>
        insertCallback(tx, {
          provider: 'slow',
          eventKey: reference,
          reference,
          raw: '{}',
          receivedAt: ports.time,
        }),
      )
    const isDone = await createOtherWork()
    ports.time += 60_000
    await enqueue('healthy@users.test')
    const run = createScheduler(ports, setup.database)
    const runs = [run()]
    await expect.poll(peer.requests).toBeGreaterThan(0)
    await expect.poll(() => isDone(runs, run)).toBe(true)
    await expect.poll(() => ports.sent.map(({ to }) => to)).toContain('healthy@users.test')
    await expect.poll(() => isPaid(healthy.reference)).toBe(true)
    expect(endedCount).toBe(0)
    ports.end.abort()
    await peer.close()
    await Promise.all(runs)
    expect((await execute('select * from deferrals')).length).toBeGreaterThan(0)
  })
})
