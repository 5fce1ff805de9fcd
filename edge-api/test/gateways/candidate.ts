import { createHangSignal } from '@portal/fixtures/hang-guards'
import type { Initiation, Order, Outcome, PaymentGateway } from '../../src/payment-gateway.ts'
import type { FakeGateway } from './fake-server.ts'

/** An adapter of a payment gateway under test, with the fake gateway that it calls. */
export interface Candidate<Fake extends FakeGateway = FakeGateway> {
  name: string
  start(): Promise<Fake>
  /** Creates the adapter, pointed at the fake. `secrets`, separated by commas, verify callbacks. */
  connect(fake: Fake, secrets: string): PaymentGateway
  /**
   * How a payment starts. `call`: our server sends the order to the gateway. `form`: the payer's browser posts a form that we
   * signed.
   */
  startsBy: 'call' | 'form'
  /** The fields of the form that the signature covers. */
  signedFields: readonly string[]
  /** The gateway's word for an approved payment, and the meaning of its words for other outcomes. */
  approvedStatus: string
  otherOutcomes: readonly [status: string, outcome: Outcome, declineCode?: string][]
  /** True for each of these fields that the gateway's response about a payment contains. */
  reports: { currency: boolean; mode: boolean }
  callbacks: 'signed' | 'unsigned'
  /** True if the gateway can list all payments of a period. */
  canListPayments?: boolean
}

/** The current time in the tests. */
export const NOW = Date.UTC(2026, 0, 15, 12)
/** The clock of fakes that sign the time of a callback. */
export const clock = () => NOW

/** Returns a signal that aborts only calls that hang: its timeout is much longer than a gateway on this machine needs. */
export const createHangGuard = () => createHangSignal()

/** Returns an order with a payer whose values test the encoding of every field. */
export function buildOrder(amountMinor: number, reference = 'CV0123456789ABC'): Order {
  return {
    reference,
    amount: { minor: amountMinor, currency: 'NGN' },
    customer: {
      firstname: 'Ṣadé & Co',
      lastname: "O'Bello",
      email: 'sade@users.test',
      phone: '+234 803 123 4567',
      address: '1 Marina, Lagos',
    },
    description: 'UG/2019/00123',
    returnUrl: 'https://verify.example.org/api/payments/return',
    expiresAt: new Date(NOW + 25 * 60_000),
    idempotencyKey: 'CVF000000000000000000000',
  }
}

/** Opens the payment page as the payer's browser does. @returns the HTTP status of the page */
export async function openPage({
  paymentUrl,
  fields,
}: Pick<Initiation, 'paymentUrl' | 'fields'>): Promise<number> {
  const isForm = Object.keys(fields).length > 0
  const response = await fetch(
    paymentUrl,
    isForm ? { method: 'POST', body: new URLSearchParams(fields) } : {},
  )
  return response.status
}

/** Returns the error of `work`, or undefined if it succeeds. */
export const catchError = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
