import type { VerificationTemplate } from '@portal/contract/letter'
import type { VerifiedCertificate } from '@portal/contract/shapes'
import type { LetterStatusData } from '../src/letters/store.ts'
import type { PaymentData, PaymentItemView, PaymentView } from '../src/verification/rules.ts'

/* Sample payments, as the rules and responses of verification receive them. */

export const STARTED_AT = Date.parse('2026-01-15T12:00:00.000Z')
export const PAID_AT = STARTED_AT + 60_000
export const SITE_URL = 'https://portal.test'

export const certificate: VerifiedCertificate = {
  certificate_number: 'UG/2020/001',
  student_name: 'Ada Obi',
  course: 'Physics',
  graduation_date: '2020-07-01',
  grade: 'First Class',
  department: 'Science',
}
export const summary = {
  student_name: 'Ada Obi',
  course: 'Physics',
  graduation_date: '2020-07-01',
  grade: 'First Class',
}
export const template: VerificationTemplate = {
  header: { institution: 'A', address: 'B', ref_number: 'CV/2026/1', date: 'January 15, 2026' },
  recipient: { company: 'C', address: ['D'] },
  subject: 'E',
  content: {
    opening: 'F',
    certificate_details: { sn: '1', name: 'Ada Obi', degree: 'Physics', class: 'First Class', date: '2020' },
    closing: 'G',
    thanks: 'H',
  },
  signature: {
    name: 'I',
    title: 'J',
    for: 'K',
    email: 'l@m.test',
    signature_image: null,
    stamp_image: null,
  },
  assets: { logo: null },
}

export const registeredCertificate = {
  certificateNumber: 'UG/2020/001',
  studentName: 'Ada Obi',
  course: 'Physics',
  graduationDate: '2020-07-01',
  grade: 'First Class',
  updatedAt: 0,
  deletedAt: null,
}
export const letter: LetterStatusData = {
  letter: {
    code: 'CODE00000001',
    certificateId: 'letter-certificate',
    template,
    snapshot: certificate,
    status: 'valid',
    issuedAt: PAID_AT,
    statusAt: PAID_AT,
  },
  certificate: registeredCertificate,
}
export const link = {
  code: 'CODE00000001',
  url: 'https://portal.test/letters/CODE00000001',
  pdf_url: 'https://portal.test/api/letters/CODE00000001.pdf',
  credential_url: 'https://portal.test/api/letters/CODE00000001.jwt',
  open_badge_url: 'https://portal.test/api/letters/CODE00000001.ob3',
  status: 'valid',
}

export function makePayment(changes: Partial<PaymentData> = {}): PaymentData {
  return {
    transactionId: 'CVF1',
    providerReference: 'CV1',
    amountMinor: 500_000,
    currency: 'NGN',
    amountPaidMinor: null,
    passedOnMinor: 0,
    taxName: null,
    taxBasisPoints: null,
    status: 'pending',
    resolution: null,
    declineCode: null,
    gatewayStatus: null,
    createdAt: STARTED_AT,
    paidAt: null,
    expiresAt: STARTED_AT + 1_800_000,
    ...changes,
  }
}

export type Changes = Omit<Partial<PaymentItemView>, 'payment' | 'item'> & {
  payment?: Partial<PaymentData>
  item?: Partial<PaymentItemView['item']>
}

export const makeItemView = ({ payment: paymentChanges, item, ...rest }: Changes = {}): PaymentItemView => ({
  payment: makePayment(paymentChanges),
  item: { certificateNumber: 'UG/2020/001', amountMinor: 500_000, ...item },
  fulfilment: null,
  certificate: null,
  letter: null,
  isRefunded: false,
  ...rest,
})

export const paid = {
  status: 'paid',
  resolution: 'verified',
  amountPaidMinor: 500_000,
  paidAt: PAID_AT,
  gatewayStatus: 'APPROVED',
} as const
export const delivered: Changes = {
  payment: paid,
  fulfilment: { outcome: 'verified', certificateId: 'delivered-certificate', at: PAID_AT },
  certificate,
  letter,
}
export const missed: Changes = {
  payment: { ...paid, resolution: 'not_found' },
  fulfilment: { outcome: 'not_found', certificateId: null, at: PAID_AT },
}
export const due: Changes = {
  payment: { ...paid, resolution: 'refund_due' },
  fulfilment: { outcome: 'refund_due', certificateId: null, at: PAID_AT },
}

export function makePaymentView(first: Changes, ...others: Changes[]): PaymentView {
  return {
    views: [makeItemView(first), ...others.map(makeItemView)],
    refunds: { outstandingMinor: 0, refundedMinor: 0, currency: undefined },
  }
}
