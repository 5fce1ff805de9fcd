import type { VerifiedCertificate } from '@portal/contract/shapes'
import { Fault } from '../fault.ts'

/* The fixed certificate numbers of test mode. Nothing in this module reads the register. */

/** Time until a verification or letter of test mode changes, in milliseconds. */
export const CHANGE_DELAY_MS = 10_000

/** A change that happens after `CHANGE_DELAY_MS`. */
export type Change = 'verified' | 'refused' | 'letter_withdrawn'

interface Outcome {
  status: 'completed' | 'awaiting_consent'
  result: 'verified' | 'not_found' | null
  change?: Change
}

const WITH_CONSENT = { status: 'awaiting_consent', result: null } as const
const VERIFIED = { status: 'completed', result: 'verified' } as const

const outcomes: Readonly<Record<string, Outcome>> = {
  'TEST/2020/001': VERIFIED,
  'TEST/2020/002': { ...VERIFIED, change: 'letter_withdrawn' },
  'TEST/2020/409': { ...WITH_CONSENT, change: 'verified' },
  'TEST/2020/410': { ...WITH_CONSENT, change: 'refused' },
}

/** Returns the first result of a valid number, and its later change, if any. */
export const outcomeOf = (certificateNumber: string): Outcome =>
  outcomes[certificateNumber] ?? { status: 'completed', result: 'not_found' }

/** Returns an explanation for developers why a number was not found in test mode; undefined for test numbers. */
export const hintFor = (certificateNumber: string): string | undefined =>
  certificateNumber in outcomes
    ? undefined
    : 'Test mode does not read the register: it knows only its test numbers, such as TEST/2020/001. Real certificates need a live key.'

/** Throws the error that a number simulates, such as `INSUFFICIENT_BALANCE`, if any. @throws Fault */
export function simulateError(certificateNumber: string): void {
  if (certificateNumber === 'TEST/2020/402') throw new Fault('INSUFFICIENT_BALANCE')
  if (certificateNumber === 'TEST/2020/429') throw new Fault('RATE_LIMITED', { retryAfter: 1 })
  if (certificateNumber === 'TEST/2020/500') throw new Fault('INTERNAL_ERROR')
}

/** Returns the fictitious certificate that test mode shows for every number that is verified. */
export const buildSpecimenCertificate = (certificateNumber: string): VerifiedCertificate => ({
  certificate_number: certificateNumber,
  student_name: 'Specimen Graduate',
  course: 'B.Sc. Specimen Studies',
  graduation_date: '2020-07-31',
  grade: 'Second Class Honours (Upper Division)',
  department: 'Specimen Studies',
})

/** The balance that test mode reports, in kobo: fictitious, because nothing is charged. */
export const TEST_BALANCE = {
  balanceMinor: 100_000_000,
  heldMinor: 0,
  debtMinor: 0,
  lowBalanceAlertMinor: null,
}
