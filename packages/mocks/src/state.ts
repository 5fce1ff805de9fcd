import type { Dispute } from '@portal/contract/admin-disputes'
import type { Reconciliation } from '@portal/contract/admin-reconciliation'
import type { DelayedWork } from '@portal/contract/background-work'
import type { ErrorCode } from '@portal/contract/errors'
import type { Notification } from '@portal/contract/notifications'
import type { RefundRecord } from '@portal/contract/refunds'
import type { Certificate } from '@portal/contract/shapes'
import type { TaxRate } from '@portal/contract/tax'
import { type CertificateFields, demoCertificates } from '@portal/fixtures/certificates'
import { DEMO_FEE_MINOR, FEE_RAISED_DAYS_AGO } from '@portal/fixtures/institution'
import { demoNotifications } from '@portal/fixtures/notifications'
import { allPersonas, DEMO_PASSWORD, type Persona, personas } from '@portal/fixtures/personas'
import { demoRegisterHistory, SPARE_CERTIFICATES } from '@portal/fixtures/register-history'
import { demoVerifications } from '@portal/fixtures/verifications'
import { demoDelayedWork } from './delayed-work.ts'
import { demoDisputes } from './disputes.ts'
import { demoOrganisations } from './organisation-demo.ts'
import type { MockOrganisation } from './organisation-types.ts'
import { demoRefunds } from './refunds.ts'
import { buildRegisterHistory } from './register-history.ts'
import type { MockChange, MockDeletedCertificate, MockJob, MockUpload } from './register-types.ts'
import { demoSettings, type MockSettings } from './settings-state.ts'
import { demoSettlements, type MockSettlements } from './settlements.ts'

/* State of the mocked API, as plain data, so that a browser can store it across reloads and share it between tabs. */

export interface MockUser extends Omit<Persona, 'joined_days_ago'> {
  /** Empty until an invited person has chosen a password. */
  password: string
  created_at: string
  /** Version of the account for optimistic locking; 1 if absent. */
  version?: number
  /** True while an authenticator app is being set up. */
  app_begun?: boolean
  /** Present once the authenticator app has been confirmed. */
  recovery_codes?: string[]
  /** Present once erasure has been requested. */
  erasure_due_at?: string
}

export interface MockSession {
  sid: string
  user_id: string
  expires_at: string
}

/** A link that was emailed; it can be used only once. */
export interface MockLink {
  token: string
  purpose: 'verify-email' | 'reset-password' | 'invitation'
  user_id: string
  expires_at: string
}

export interface MockMail {
  to: string
  subject: string
  /** Path of the page to which the email links, if any. */
  link: string | null
}

/** The content of a letter as issued, except for its certificate. */
export interface LetterContent {
  institution: MockSettings['institution']
  signature: MockSettings['signature']
  texts: MockSettings['texts']
  holder: { name: string; address: string }
}

/** A letter as it was issued. Each superseded letter of a payment keeps its own values. */
export interface MockLetter {
  /** Absent for letters in the demo data, which have the demo's initial settings. */
  letter_texts?: LetterContent
  /** The certificate as it was on delivery; later changes do not affect it. */
  certificate: CertificateFields | null
  letter_code: string | null
  /** How often the letter was checked, and when last. */
  letter_checks?: number
  letter_checked_at?: string
  /** When the letter's status last changed. */
  letter_status_at?: string
  /** When the letter was issued, if it is a corrected letter. */
  letter_issued_at?: string
}

/** A payment for one certificate, with its current letter. */
export interface MockPayment extends MockLetter {
  transaction_id: string
  payment_reference: string
  user_id: string
  certificate_number: string
  status: 'pending' | 'paid' | 'failed'
  verification_status: 'success' | 'not_found' | null
  code: ErrorCode | null
  gateway_status: string
  amount_minor: number
  /** The gateway's fee for the whole payment; only in the payment's first row. */
  gateway_fee_minor?: number
  /** Tax included in the amount, which is fixed when the payment starts. */
  tax?: TaxRate
  initiated_at: string
  expires_at: string
  ended_at: string | null
  /** Present if the certificate was deleted before the payment was completed. */
  refund_status?: 'refund_due' | 'refunded'
  /** ID of the certificate that had this number when the payment was completed; absent in the demo data. */
  certificate_id?: string
  /** Superseded letters, which can still be found by their codes. */
  former_letters?: MockLetter[]
}

/** A notification of an account. */
export interface MockNotification extends Notification {
  user_id: string
}

export interface MockState {
  /** Public URL of the mocks, for links in replies. */
  origin: string
  users: MockUser[]
  sessions: MockSession[]
  links: MockLink[]
  mails: MockMail[]
  /** Newest first, as listed by the API. */
  certificates: Certificate[]
  /** Deleted or withdrawn certificates. */
  deleted?: MockDeletedCertificate[]
  /** Newest first; absent in a state saved by an older version. */
  history?: MockChange[]
  /** Newest first; absent in a state saved by an older version. */
  organisations?: MockOrganisation[]
  /** Newest first. */
  payments: MockPayment[]
  /** Newest first. */
  notifications: MockNotification[]
  /** Newest first. */
  uploads: MockUpload[]
  /** Newest first; absent in a state saved by an older version. */
  jobs?: MockJob[]
  /** Newest first. */
  refunds: RefundRecord[]
  disputes?: Dispute[]
  /** By account and `Idempotency-Key`: the request, and the ID of what it created. */
  idempotency_keys?: Record<string, { request: string; transaction_id: string }>
  /** Newest first. */
  reconciliations: Reconciliation[]
  /** Absent in a state saved by an older version. */
  settlements?: MockSettlements
  /** Longest delayed first; absent in a state saved by an older version. */
  delayed_work?: DelayedWork[]
  fee: { minor: number; updated_at: string | null }
  settings: MockSettings
}

const DAY = 86_400_000
const HOUR = 3_600_000
/** Number of certificates: enough for about ten pages, yet few enough for browser storage. */
const CERTIFICATE_COUNT = 200

/** Returns the demo data as of `now`, with the same personas, certificates and verifications as the seed and the tests. */
export function createState(
  now = new Date(),
  // There is no location in Node, where tests run.
  origin = globalThis.location?.origin ?? 'http://localhost',
): MockState {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  const allFields = demoCertificates(CERTIFICATE_COUNT + SPARE_CERTIFICATES)
  const fields = allFields.slice(0, CERTIFICATE_COUNT)
  const users = allPersonas.map(({ joined_days_ago, ...persona }) => ({
    ...persona,
    password: DEMO_PASSWORD,
    created_at: ago(joined_days_ago * DAY),
  }))
  const idOf = new Map(users.map(user => [user.email, user.id]))
  const verifications = demoVerifications({ now, certificates: fields })
  const payments = verifications
    .map(({ user_email, gateway_code: _, currency: __, ...payment }) => ({
      ...payment,
      user_id: idOf.get(user_email) ?? '',
    }))
    .reverse()
  const refunds = demoRefunds(payments, users)
  const certificates = fields.map((field, index) => ({
    ...field,
    id: `certificate-${index + 1}`,
    uploader_email: index % 5 === 0 ? personas.superAdmin.email : personas.admin.email,
    uploaded_at: ago((index + 1) * 7 * HOUR),
    updated_at: ago((index + 1) * 7 * HOUR),
    version: 1,
  }))
  const positions = new Map(allFields.map(({ certificate_number }, index) => [certificate_number, index + 1]))
  const registerHistory = demoRegisterHistory(
    allFields,
    new Set(verifications.map(verification => verification.certificate_number)),
  )
  return {
    origin,
    users,
    sessions: [],
    links: [],
    mails: [],
    certificates,
    organisations: demoOrganisations(now),
    ...buildRegisterHistory(certificates, {
      registerHistory,
      now,
      idOf: number => `certificate-${positions.get(number)}`,
    }),
    payments,
    notifications: demoNotifications({ now, verifications })
      .map(({ user_email, ...notification }, index) => ({
        ...notification,
        id: `notification-${index + 1}`,
        user_id: idOf.get(user_email) ?? '',
      }))
      .reverse(),
    refunds,
    disputes: demoDisputes(payments, users, now),
    reconciliations: [],
    settlements: demoSettlements(payments, { now, verifications }),
    delayed_work: demoDelayedWork({ now, refunds, users }),
    fee: { minor: DEMO_FEE_MINOR, updated_at: ago(FEE_RAISED_DAYS_AGO * DAY) },
    settings: demoSettings(now),
  }
}

/** Storage of the state. `read` returns an object that may be changed; `write` saves the changes. */
export interface Store {
  read: () => MockState
  write: (state: MockState) => void
}

/** Creates a store in memory, for one test file or page. */
export function memoryStore(state: MockState = createState()): Store {
  let current = state
  return {
    read: () => current,
    write: next => {
      current = next
    },
  }
}

const isState = (value: unknown): value is MockState =>
  typeof value === 'object' && value !== null && 'users' in value && 'payments' in value && 'fee' in value

/**
 * Creates a store that all tabs of an origin share and that survives reloads. `key` contains the version, so that data saved by
 * other versions is ignored.
 */
export function browserStore(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  key: string,
  createInitial: () => MockState,
): Store {
  return {
    read: () => {
      const stored: unknown = JSON.parse(storage.getItem(key) ?? 'null')
      return isState(stored) ? stored : createInitial()
    },
    write: state => storage.setItem(key, JSON.stringify(state)),
  }
}
