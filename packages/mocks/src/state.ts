import type { Dispute } from '@portal/contract/admin-disputes'
import type { Reconciliation } from '@portal/contract/admin-reconciliation'
import type { ReportRow, Upload } from '@portal/contract/admin-uploads'
import type { DelayedWork } from '@portal/contract/background-work'
import type { ErrorCode } from '@portal/contract/errors'
import type { Change } from '@portal/contract/history'
import type { Notification } from '@portal/contract/notifications'
import type { RefundRecord } from '@portal/contract/refunds'
import type { Certificate } from '@portal/contract/shapes'
import type { TaxRate } from '@portal/contract/tax'
import { type CertificateFields, demoCertificates } from '@portal/fixtures/certificates'
import { DEMO_FEE_MINOR, FEE_RAISED_DAYS_AGO } from '@portal/fixtures/institution'
import { demoNotifications } from '@portal/fixtures/notifications'
import { allPersonas, DEMO_PASSWORD, type Persona, personas } from '@portal/fixtures/personas'
import { demoVerifications } from '@portal/fixtures/verifications'
import { demoDelayedWork } from './delayed-work.ts'
import { demoDisputes } from './disputes.ts'
import { demoRefunds } from './refunds.ts'
import { demoSettings, type MockSettings } from './settings-state.ts'
import { demoSettlements, type MockSettlements } from './settlements.ts'

/* What the mocked API remembers: plain data, so that a browser can keep it across reloads and tabs. */

export interface MockUser extends Omit<Persona, 'joined_days_ago'> {
  password: string
  created_at: string
  /** An authenticator app has a secret that waits for its first code. */
  app_begun?: boolean
  /** Set once an authenticator app was confirmed. */
  recovery_codes?: string[]
  /** Set once the erasure of the account was asked for. */
  erasure_due_at?: string
}

export interface MockSession {
  sid: string
  user_id: string
  expires_at: string
}

/** A link that was mailed; single-use. */
export interface MockLink {
  token: string
  purpose: 'verify-email' | 'reset-password'
  user_id: string
  expires_at: string
}

export interface MockMail {
  to: string
  subject: string
  /** Path of the page that the mail leads to, if it has a link. */
  link: string | null
}

/** What a letter says besides its certificate, as it stood when the letter was issued. */
export interface LetterWords {
  institution: MockSettings['institution']
  signature: MockSettings['signature']
  texts: MockSettings['texts']
  holder: { name: string; address: string }
}

/** A letter as it was issued; a corrected one has all of this anew. */
export interface MockLetter {
  /** Unset in the demo's own history: its letters say what the demo data begin with. */
  words?: LetterWords
  /** As delivered; what is changed or deleted later does not change it. */
  certificate: CertificateFields | null
  letter_code: string | null
  /** How often the letter was checked, and when last. */
  letter_checks?: number
  letter_checked_at?: string
  /** Since when it stands otherwise than as issued. */
  letter_status_at?: string
  /** Of a corrected letter, which took the place of the first. */
  letter_issued_at?: string
}

/** With the letter that holds now. */
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
  /** What the gateway keeps of the whole payment, on its first row. */
  gateway_fee_minor?: number
  /** Included in the amount, as it was when the payment was started. */
  tax?: TaxRate
  initiated_at: string
  expires_at: string
  settled_at: string | null
  /** What became of money that brought nothing: the certificate went before the payment came. */
  money_back?: 'refund_due' | 'refunded'
  /** Which certificate it was, of those that had the number in turn; unset in the demo's own history. */
  certificate_id?: string
  /** Those whose place corrected ones took. Their codes still lead to them. */
  former_letters?: MockLetter[]
}

/** One that an account was told. */
export interface MockNotification extends Notification {
  user_id: string
}

/** A change of a record, with which one. */
export interface MockChange extends Change {
  kind: 'certificate' | 'user' | 'setting'
  record_id: string
  /** The certificate's number. */
  label: string | null
}

/** With its report, and its failed rows as they stood in the file. */
export interface MockUpload extends Upload {
  report: ReportRow[]
  failures: Record<string, string>[]
}

export interface MockState {
  /** Where the mocks are reached, for the addresses in their answers. */
  origin: string
  users: MockUser[]
  sessions: MockSession[]
  links: MockLink[]
  mails: MockMail[]
  /** Newest first, as the API lists them. */
  certificates: Certificate[]
  /** Those that were deleted or withdrawn, with where they stood, when, and by whom. */
  deleted?: { at: number; certificate: Certificate; deleted_at: string; deleted_by: string }[]
  /** Newest first; absent in a state that an older version kept. */
  history?: MockChange[]
  /** Newest first. */
  payments: MockPayment[]
  /** Newest first. */
  notifications: MockNotification[]
  /** Newest first. */
  uploads: MockUpload[]
  /** Newest first. */
  refunds: RefundRecord[]
  disputes?: Dispute[]
  /** By account and `Idempotency-Key`: the request that it stands for, and the payment that it began. */
  idempotency_keys?: Record<string, { request: string; transaction_id: string }>
  /** Newest first. */
  reconciliations: Reconciliation[]
  /** Absent in a state that an older version kept. */
  settlements?: MockSettlements
  /** Longest delayed first; absent in a state that an older version kept. */
  delayed_work?: DelayedWork[]
  fee: { minor: number; updated_at: string | null }
  settings: MockSettings
}

const DAY = 86_400_000
const HOUR = 3_600_000
/** Enough for some ten pages, few enough to be kept in a browser's storage. */
const CERTIFICATES = 200

/** The demo data, as of `now`: the personas, certificates and verifications that seed and tests share. */
export function createState(
  now = new Date(),
  // Node, where tests run, has no location.
  origin = globalThis.location?.origin ?? 'http://localhost',
): MockState {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  const fields = demoCertificates(CERTIFICATES)
  const users = allPersonas.map(({ joined_days_ago, ...persona }) => ({
    ...persona,
    password: DEMO_PASSWORD,
    created_at: ago(joined_days_ago * DAY),
  }))
  const idOf = new Map(users.map(user => [user.email, user.id]))
  const verifications = demoVerifications({ now, certificates: fields })
  const payments = verifications
    .map(({ user_email, gateway_code: _, currency: __, ...each }) => ({
      ...each,
      user_id: idOf.get(user_email) ?? '',
    }))
    .reverse()
  const refunds = demoRefunds(payments, users)
  return {
    origin,
    users,
    sessions: [],
    links: [],
    mails: [],
    certificates: fields.map((each, index) => ({
      ...each,
      id: `certificate-${index + 1}`,
      uploader_email: index % 5 === 0 ? personas.superAdmin.email : personas.admin.email,
      uploaded_at: ago((index + 1) * 7 * HOUR),
      updated_at: ago((index + 1) * 7 * HOUR),
      version: 1,
    })),
    payments,
    notifications: demoNotifications({ now, verifications })
      .map(({ user_email, ...each }, index) => ({
        ...each,
        id: `notification-${index + 1}`,
        user_id: idOf.get(user_email) ?? '',
      }))
      .reverse(),
    uploads: [],
    refunds,
    disputes: demoDisputes(payments, users, now),
    reconciliations: [],
    settlements: demoSettlements(payments, { now, verifications }),
    delayed_work: demoDelayedWork({ now, refunds, users }),
    fee: { minor: DEMO_FEE_MINOR, updated_at: ago(FEE_RAISED_DAYS_AGO * DAY) },
    settings: demoSettings(now),
  }
}

/** Where the state lives. `read` gives the object to work on, `write` keeps what a call changed. */
export interface Store {
  read: () => MockState
  write: (state: MockState) => void
}

/** A store of its own for one test file or one page. */
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
 * A store shared by all tabs of an origin, which also survives a reload, as a server would. Data of another
 * version of the mocks (`key` names it) is left alone and not read.
 */
export function browserStore(storage: Storage, key: string, begin: () => MockState): Store {
  return {
    read: () => {
      const kept: unknown = JSON.parse(storage.getItem(key) ?? 'null')
      return isState(kept) ? kept : begin()
    },
    write: state => storage.setItem(key, JSON.stringify(state)),
  }
}
