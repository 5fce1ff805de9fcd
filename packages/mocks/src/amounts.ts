import { demoCertificates } from '@portal/fixtures/certificates'
import { makeUser } from '@portal/fixtures/factories'
import { personas } from '@portal/fixtures/personas'
import type { Amount } from './conditions.ts'
import { demoState } from './demo-state.ts'
import { newId, newLetterCode, newPrefixedId, newReference, newTransactionId } from './ids.ts'
import type { MockOrganisation } from './organisation-types.ts'
import type { MockState, MockUser } from './state.ts'

const HOUR_MS = 3_600_000
/** Number of rows for the condition `huge`: enough for dozens of pages, and about as many as fit into browser storage. */
const MANY_ROWS = 1_500
const MANY_USERS = 300
const MANY_ORGANISATION_ROWS = 500
/** One in this many rows has long names. */
const LONG_NAME_INTERVAL = 3

const { firstname, middlename, lastname } = personas.longNames
const longName = `${firstname} ${middlename} ${lastname}`
const longCourse =
  'Bachelor of Agriculture (Honours) in Agricultural Economics, Extension Services and Rural Development Administration'

/** Returns the state with its accounts, but with empty lists. */
function withoutData(state: MockState): MockState {
  return {
    ...state,
    certificates: [],
    payments: [],
    notifications: [],
    uploads: [],
    history: [],
    jobs: [],
    deleted: [],
    refunds: [],
    reconciliations: [],
    settings: { ...state.settings, fee_changes: [] },
  }
}

/** Adds many copies of an organisation's verifications. */
function addOrganisationRows(
  organisation: MockOrganisation,
  ago: (hours: number) => string,
): MockOrganisation {
  const { verifications } = organisation
  const many = Array.from(
    { length: verifications.length > 0 ? MANY_ORGANISATION_ROWS : 0 },
    (_, index) => verifications[index % verifications.length],
  ).filter(item => item !== undefined)
  const copies = many.map((item, index) => ({
    ...item,
    id: newPrefixedId('ver'),
    created_at: ago(index),
    completed_at: item.completed_at && ago(index),
  }))
  return { ...organisation, verifications: [...verifications, ...copies] }
}

/** Assigns the payments of a `huge` state to an account that has few, so that every user sees long lists. */
export function giveRowsTo(state: MockState, { id, role }: Pick<MockUser, 'id' | 'role'>): void {
  if (role !== 'user' || state.payments.filter(item => item.user_id === id).length > MANY_ROWS / 2) return
  const owners = new Set<string>(Object.values(personas).map(item => item.id))
  for (const payment of state.payments) if (owners.has(payment.user_id)) payment.user_id = id
}

/** Returns the state with many rows, some of them with long names, in every list that users and staff see. */
function fillWithRows(state: MockState, now: Date): MockState {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString()
  const withLongNames = <Row>(index: number, row: Row, names: Partial<Row>): Row =>
    index % LONG_NAME_INTERVAL === 0 ? { ...row, ...names } : row
  const [firstCertificate] = state.certificates
  const certificates = demoCertificates(MANY_ROWS).map((fields, index) => ({
    ...withLongNames(index, fields, { student_name: longName, course: longCourse }),
    id: `certificate-${index + 1}`,
    uploader_email: firstCertificate?.uploader_email ?? null,
    uploaded_at: ago(index),
    updated_at: ago(index),
    version: 1,
  }))
  const certificatesByNumber = new Map(certificates.map(item => [item.certificate_number, item]))
  const users = Array.from({ length: MANY_USERS }, (_, index): MockUser => {
    const names = { firstname, middlename, lastname, address: personas.longNames.address }
    const user = { ...withLongNames(index, makeUser(), names), role: 'user' as const, created_at: ago(index) }
    return { ...user, id: newId(), is_enabled: true, is_verified: true }
  })
  const payments = Array.from(
    { length: MANY_ROWS },
    (_, index) => state.payments[index % state.payments.length],
  )
    .filter(item => item !== undefined)
    .map((payment, index) => ({
      ...payment,
      // The certificate as it is in the register now; otherwise, its letter would not be valid.
      certificate:
        payment.certificate && (certificatesByNumber.get(payment.certificate_number) ?? payment.certificate),
      user_id: personas.user.id,
      transaction_id: newTransactionId(),
      payment_reference: newReference(),
      letter_code: payment.letter_code && newLetterCode(),
      initiated_at: ago(index),
      ended_at: payment.ended_at && ago(index),
    }))
  const notifications = Object.values(personas).flatMap(({ id }) =>
    state.notifications.slice(0, 100).map((item, index) => ({
      ...item,
      id: newId(),
      user_id: id,
      created_at: ago(index),
    })),
  )
  const copies = <Row extends { id: string }>(rows: readonly Row[]) =>
    Array.from({ length: 10 }, () => rows.map(row => ({ ...row, id: newId() }))).flat()
  const { organisations = [] } = state
  // Keep the payments of organisations, because their verifications refer to them.
  const paidByOrganisations = state.payments.filter(payment => payment.user_id.startsWith('org_'))
  return {
    ...state,
    certificates,
    payments: [...payments, ...paidByOrganisations],
    organisations: organisations.map(item => addOrganisationRows(item, ago)),
    notifications,
    users: [...state.users, ...users],
    refunds: [...state.refunds, ...copies(state.refunds)],
  }
}

/** Returns the initial state with this amount of data. */
export function createInitialState(amount: Amount, now = new Date()): MockState {
  const state = demoState(now)
  if (amount === 'empty') return withoutData(state)
  return amount === 'huge' ? fillWithRows(state, now) : state
}
