import { makeCertificate, makeUser } from '@portal/fixtures/factories'
import { eq } from 'drizzle-orm'
import { findByNumber, insertCertificate, withdrawCertificate } from '../src/certificates/store.ts'
import type { Database } from '../src/db/database.ts'
import { users } from '../src/db/schema/accounts.ts'
import { letters } from '../src/db/schema/letters.ts'
import { fulfilments, ledgerEntries, refunds } from '../src/db/schema/money.ts'
import { outbox } from '../src/db/schema/operations.ts'
import { paymentEvents, paymentItems, payments, webhookInbox } from '../src/db/schema/payments.ts'
import type { Initiation, Order, Outcome, PaymentGateway, Requery } from '../src/payment-gateway.ts'
import { type StartRequest, startPayment } from '../src/payments/initiate.ts'
import type { Ports } from '../src/ports.ts'
import type { Principal } from '../src/principal.ts'
import { writeSetting } from '../src/settings/store.ts'
import {
  createTemporaryDatabase,
  createTestPorts,
  type TemporaryDatabase,
  type TestPorts,
} from './temporary-database.ts'

export interface Charge {
  minor: number
  outcome: Outcome
  answer: Partial<Requery>
}

/** A fake gateway that implements the port, stores charges like a real one, and fails as a test requests. */
export class ScriptedGateway implements PaymentGateway {
  readonly mode: 'test' | 'live' = 'test'
  readonly charges = new Map<string, Charge>()
  readonly orders: Order[] = []
  requeries = 0
  /** Wraps the gateway's work: throws or changes the result, as a fault would. */
  onInitiate: (order: Order, proceed: () => Initiation) => Promise<Initiation> = async (_, proceed) =>
    proceed()
  onRequery: (reference: string, proceed: () => Requery) => Promise<Requery> = async (_, proceed) => proceed()

  async initiate(order: Order): Promise<Initiation> {
    this.orders.push(order)
    return this.onInitiate(order, () => {
      this.charges.set(order.reference, { minor: order.amount.minor, outcome: 'pending', answer: {} })
      return { paymentUrl: 'https://gateway.test/pay', fields: { reference: order.reference } }
    })
  }

  async requery(reference: string): Promise<Requery> {
    this.requeries++
    return this.onRequery(reference, () => {
      const charge = this.charges.get(reference)
      if (!charge) return { outcome: 'not_found', reference, mode: 'test', raw: 'not found' }
      const { minor, outcome, answer } = charge
      return {
        outcome,
        reference,
        mode: 'test',
        providerTxnId: `TXN-${reference}`,
        code: outcome === 'succeeded' ? '00' : '',
        status: outcome.toUpperCase(),
        raw: `${reference} ${outcome}`,
        ...(outcome === 'succeeded' && { amountPaid: { minor, currency: 'NGN' } }),
        ...answer,
      }
    })
  }

  parseWebhook: PaymentGateway['parseWebhook'] = async () => ({ verified: false, eventKey: '' })

  async check() {}

  /** Sets what the gateway reports about a charge from now on. */
  setOutcome(reference: string, outcome: Outcome, answer: Partial<Requery> = {}): void {
    const minor = this.charges.get(reference)?.minor ?? 0
    this.charges.set(reference, { minor, outcome, answer })
  }
}

export interface TestSetup {
  database: Database
  ports: Ports & TestPorts
  gateway: ScriptedGateway
  /** Waits until all background work has ended. */
  waitUntilIdle(): Promise<void>
  close(): Promise<void>
  newUser(role?: Principal['role']): Promise<Principal>
  /** Adds a certificate and returns its number. */
  newCertificate(): Promise<string>
  startPayment(
    user: Principal,
    certificateNumber: string,
    overrides?: Partial<StartRequest>,
  ): ReturnType<typeof startPayment>
  /** Starts a payment, by a new user for a new certificate. */
  newPayment(): Promise<{ user: Principal; number: string; transactionId: string; reference: string }>
  setFee(minor: number): Promise<void>
  setPolicy(unknownCertificates: 'free' | 'charge'): Promise<void>
  removeCertificate(number: string): Promise<void>
  disable(user: Principal): Promise<void>
  readRows(): Promise<Rows>
}

export type Rows = Awaited<ReturnType<typeof readRows>>

async function readRows({ read }: Database) {
  return {
    payments: await read.select().from(payments),
    items: await read.select().from(paymentItems),
    events: await read.select().from(paymentEvents),
    fulfilments: await read.select().from(fulfilments),
    letters: await read.select().from(letters),
    refunds: await read.select().from(refunds),
    ledger: await read.select().from(ledgerEntries),
    outbox: await read.select().from(outbox),
    inbox: await read.select().from(webhookInbox),
  }
}

/** Opens the payment core without HTTP, with a separate database, a stopped clock and a gateway that the test controls. */
export async function openTestSetup(
  gateway = new ScriptedGateway(),
  makeDatabase: () => Promise<TemporaryDatabase> = createTemporaryDatabase,
): Promise<TestSetup> {
  const { database, remove } = await makeDatabase()
  const pending = new Set<Promise<unknown>>()
  const defaultPorts = createTestPorts()
  const ports: TestSetup['ports'] = Object.assign(defaultPorts, {
    openDatabase: () => ({ ...database, close: () => undefined }),
    mailbox: undefined,
    gateways: { sandbox: gateway },
    assets: { get: async () => undefined },
    uploadLimit: 0,
    background(work: Promise<unknown>) {
      const tracked = work.finally(() => pending.delete(tracked))
      pending.add(tracked)
    },
  })

  const setup: TestSetup = {
    database,
    ports,
    gateway,
    async waitUntilIdle() {
      while (pending.size > 0) await Promise.all(pending)
    },
    async close() {
      await setup.waitUntilIdle()
      await remove()
    },
    async newUser(role = 'user') {
      const { firstname, lastname, email, phone, address } = makeUser()
      const id = crypto.randomUUID()
      const at = ports.time
      const row = { id, email, firstname, lastname, phone, address, role, isEnabled: true }
      await database.write(tx =>
        tx.insert(users).values({ ...row, passwordHash: '-', verifiedAt: at, createdAt: at, updatedAt: at }),
      )
      return { id, sessionId: '-', email, firstname, lastname, role }
    },
    async newCertificate() {
      const fields = makeCertificate()
      await database.write(tx =>
        insertCertificate(tx, {
          id: crypto.randomUUID(),
          certificateNumber: fields.certificate_number,
          studentName: fields.student_name,
          matricNumber: fields.matric_number,
          course: fields.course,
          graduationDate: fields.graduation_date,
          grade: fields.grade,
          department: fields.department,
          uploaderEmail: null,
          uploadedAt: ports.time,
          updatedAt: ports.time,
        }),
      )
      return fields.certificate_number
    },
    startPayment(user, certificateNumber, overrides = {}) {
      return startPayment(ports, database, {
        user,
        certificateNumber,
        idempotencyKey: undefined,
        address: '192.0.2.1',
        requestId: crypto.randomUUID(),
        ...overrides,
      })
    },
    async newPayment() {
      const user = await setup.newUser()
      const number = await setup.newCertificate()
      const started = await setup.startPayment(user, number)
      if (started.kind !== 'initiated') throw new Error(`not initiated: ${started.kind}`)
      const { transactionId, providerReference } = started.payment
      return { user, number, transactionId, reference: providerReference }
    },
    async setFee(minor) {
      await database.write(tx =>
        writeSetting(tx, { key: 'fee', value: { minor }, at: ports.time, author: null }),
      )
    },
    async setPolicy(unknownCertificates) {
      const value = { unknown_certificates: unknownCertificates, public_tracking: 'full' as const }
      await database.write(tx => writeSetting(tx, { key: 'policies', value, at: ports.time, author: null }))
    },
    async removeCertificate(certificateNumber) {
      await database.write(async tx => {
        const row = await findByNumber(tx, { certificateNumber })
        if (row) await withdrawCertificate(tx, { id: row.id, at: ports.time })
      })
    },
    async disable({ id }) {
      await database.write(tx => tx.update(users).set({ isEnabled: false }).where(eq(users.id, id)))
    },
    readRows: () => readRows(database),
  }
  return setup
}
