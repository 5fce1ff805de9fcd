import { untilItHangs } from '@portal/fixtures/hang-guards'
import type { Initiation, Order, Outcome, PaymentGateway } from '../../src/payment-gateway.ts'
import type { FakeGateway } from './fake-server.ts'

export interface Candidate<Fake extends FakeGateway = FakeGateway> {
  name: string
  start(): Promise<Fake>
  /** The adapter, pointed at the fake. `secrets` verify call-backs, comma-separated. */
  connect(fake: Fake, secrets: string): PaymentGateway
  /** `call`: the server tells the gateway of an order. `form`: the payer's browser does, with what we signed. */
  startsBy: 'call' | 'form'
  /** Fields of the form that the signature covers. */
  signed: readonly string[]
  /** The gateway's word for an approved payment, and for each other end what it means here. */
  approved: string
  ends: readonly [end: string, outcome: Outcome, declineCode?: string][]
  /** What the gateway's answer about a payment names. */
  names: { currency: boolean; mode: boolean }
  callBacks: 'signed' | 'unsigned'
  /** It can be asked for all payments of a period. */
  lists?: boolean
}

/** The time at which all of it happens. */
export const NOW = Date.UTC(2026, 0, 15, 12)
/** Time of call-backs, for fakes whose signature carries one. */
export const clock = () => NOW

/** More than enough for a gateway on this machine. */
export const patience = () => untilItHangs()

/** An order with a payer who tries the encoding of every field. */
export function orderOf(minor: number, reference = 'CV0123456789ABC'): Order {
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

/** Goes where the payer's browser goes, and answers with the HTTP status it finds there. */
export async function openPage({
  paymentUrl,
  fields,
}: Pick<Initiation, 'paymentUrl' | 'fields'>): Promise<number> {
  const isForm = Object.keys(fields).length > 0
  const answer = await fetch(paymentUrl, isForm ? { method: 'POST', body: new URLSearchParams(fields) } : {})
  return answer.status
}

/** What `work` fails with, or undefined when it does not. */
export const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
