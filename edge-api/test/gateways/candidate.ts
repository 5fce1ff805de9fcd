import { untilItHangs } from '@portal/fixtures/hang-guards'
import type { Initiation, Order, Outcome, PaymentGateway } from '../../src/payment-gateway.ts'
import type { FakeGateway } from './fake-server.ts'

export interface Candidate<Fake extends FakeGateway = FakeGateway> {
  name: string
  start(): Promise<Fake>
  /** Creates the adapter, pointed at the fake. `secrets`, separated by commas, verify callbacks. */
  connect(fake: Fake, secrets: string): PaymentGateway
  /**
   * How a payment starts. `call`: the server sends an order to the gateway. `form`: the payer's browser posts one that we
   * signed.
   */
  startsBy: 'call' | 'form'
  /** The fields of the form that the signature covers. */
  signed: readonly string[]
  /** The gateway's word for an approved payment, and the meaning of its words for other outcomes. */
  approved: string
  otherOutcomes: readonly [end: string, outcome: Outcome, declineCode?: string][]
  /** Whether the gateway's response about a payment contains these facts. */
  reports: { currency: boolean; mode: boolean }
  callBacks: 'signed' | 'unsigned'
  /** Whether the gateway can list all payments of a period. */
  lists?: boolean
}

/** The time of the tests. */
export const NOW = Date.UTC(2026, 0, 15, 12)
/** Returns the time of callbacks, for fakes whose signature contains one. */
export const clock = () => NOW

/** A signal that aborts only calls that hang: its time is more than enough for a gateway on this machine. */
export const hangGuard = () => untilItHangs()

/** Returns an order with a payer whose values test the encoding of every field. */
export function buildOrder(minor: number, reference = 'CV0123456789ABC'): Order {
  return {
    reference,
    amount: { minor, currency: 'NGN' },
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

/** Does what the payer's browser does to open the payment page, and returns the HTTP status of the page. */
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
export const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
