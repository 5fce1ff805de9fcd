import type { Client, InArgs, InStatement, Transaction } from '@libsql/client'
import { insertSession } from '../src/accounts/session-store.ts'
import { signToken } from '../src/accounts/tokens.ts'
import { createApp } from '../src/app.ts'
import { openDatabase } from '../src/db/database.ts'
import { openFile } from '../src/db/file-client.ts'
import { openTestSetup } from '../test/payment-setup.ts'
import type { TemporaryDatabase } from '../test/temporary-database.ts'
import { compareFigures, type Figure } from './figures.ts'

/*
 * Compares complete verifications, from the lookup to the letter, with the bare database writes that they need: the bare driver
 * repeats the recorded writes, in the same transactions, on a copy of the database from before the verifications.
 */

type Write = { sql: string; args: InArgs }

/** Returns a client that records the writes of each committed transaction. */
function recordWrites(client: Client): { client: Client; journal: Write[][] } {
  const journal: Write[][] = []
  const recordTransaction = (transaction: Transaction): Transaction => {
    const writes: Write[] = []
    return new Proxy(transaction, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          const statement = args[0] as InStatement | undefined
          if (
            name === 'execute' &&
            typeof statement === 'object' &&
            /^\s*(insert|update|delete)/i.test(statement.sql)
          )
            writes.push({ sql: statement.sql, args: statement.args ?? [] })
          if (name === 'commit' && writes.length > 0) journal.push(writes)
          return Reflect.apply(value, target, args)
        }
      },
    })
  }
  const proxied = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name === 'transaction') return async () => recordTransaction(await target.transaction('write'))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { client: proxied, journal }
}

/** Opens a portal within this process, whose payments succeed as soon as they are started. */
export async function openPortalInProcess(makeDatabase?: () => Promise<TemporaryDatabase>) {
  const setup = await openTestSetup(undefined, makeDatabase)
  const { client, journal } = recordWrites(setup.database.client)
  const database = makeDatabase ? setup.database : openDatabase(client, { serialiseWrites: true })
  const ports = {
    ...setup.ports,
    environment: { ...setup.ports.environment, RATE_LIMIT_SCALE: 1_000_000 },
    openDatabase: () => ({ ...database, close: () => undefined }),
  }
  const app = createApp(ports)
  const user = await setup.newUser()
  const session = {
    id: crypto.randomUUID(),
    userId: user.id,
    createdAt: ports.time,
    expiresAt: ports.time + 3_600_000,
  }
  await setup.database.write(tx => insertSession(tx, session))
  const token = await signToken(
    {
      userId: user.id,
      sessionId: session.id,
      role: 'user',
      issuedAt: session.createdAt,
      expiresAt: session.expiresAt,
    },
    ports.environment.JWT_SECRETS,
  )

  async function call(method: string, path: string, body?: object) {
    const response = await app.request(`/api/verification${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const reply = (await response.json()) as Record<string, string>
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(reply)}`)
    return reply
  }

  /** Makes one verification: looks up a number, pays for it and requests the result. */
  async function verify(certificate_number: string): Promise<void> {
    await call('POST', '/check-certificate', { certificate_number })
    const payment = await call('POST', '/process-payment', { certificate_number })
    setup.gateway.setOutcome(payment.payment_reference ?? '', 'succeeded')
    const paid = await call('GET', `/check-verification-status/${payment.transaction_id}`)
    if (paid.status !== 'paid') throw new Error(`not paid: ${JSON.stringify(paid)}`)
    await setup.waitUntilIdle()
  }

  return { setup, journal, verify }
}

/** Measures complete verifications, and the database writes that they need. @param count number of verifications */
export async function measurePayments(folder: string, count: number): Promise<Figure[]> {
  const { setup, journal, verify } = await openPortalInProcess()
  const certificates: string[] = []
  for (let i = 0; i < count; i++) certificates.push(await setup.newCertificate())
  const copy = `${folder}/before.db`
  await setup.database.client.execute({ sql: 'vacuum into ?', args: [copy] })
  const started = performance.now()
  for (const number of certificates) await verify(number)
  const perSecond = (count * 1000) / (performance.now() - started)
  const replayMs = await replay(copy, journal)
  await setup.close()
  const writes = journal.reduce((sum, transaction) => sum + transaction.length, 0)
  const what = `Check, payment and settlement in one process (${Math.round(writes / count)} writes in ${(journal.length / count).toFixed(1)} transactions each)`
  return [compareFigures(what, [perSecond, '/s'], ['the writes alone', (count * 1000) / replayMs])]
}

async function replay(file: string, journal: readonly Write[][]): Promise<number> {
  const client = openFile(file, { timeout: 5000 })
  await client.execute('pragma journal_mode = wal')
  const started = performance.now()
  for (const writes of journal) await client.batch([...writes], 'write')
  const durationMs = performance.now() - started
  client.close()
  return durationMs
}
