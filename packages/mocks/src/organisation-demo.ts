import {
  demoBankDetails,
  demoCredits,
  demoInvoice,
  demoMembers,
  demoOrganisation,
  SUSPENSION_REASON,
  suspendedOrganisation,
} from '@portal/fixtures/organisations'
import { personas } from '@portal/fixtures/personas'
import { bankReferenceKey } from '@portal/rules/organisations'
import { newReference, newTransactionId } from './ids.ts'
import { recordActivity, recordBalanceChange } from './organisation-movements.ts'
import type { MockOrganisation } from './organisation-types.ts'

const DAY_MS = 86_400_000
const INVOICE_DAYS = 60

/** Returns an organisation without members, money and history. */
const emptyOrganisation = (
  id: string,
  profile: typeof demoOrganisation | typeof suspendedOrganisation,
  createdAt: Date,
): MockOrganisation => ({
  ...profile,
  id,
  state: 'active',
  state_reason: null,
  vetted_at: null,
  created_at: createdAt.toISOString(),
  version: 1,
  balance_minor: 0,
  held_minor: 0,
  debt_minor: 0,
  low_balance_alert_minor: null,
  members: [],
  invitations: [],
  activity: [],
  verifications: [],
  movements: [],
  topups: [],
  invoices: [],
  batches: [],
  transfers: [],
})

function topUp(organisation: MockOrganisation, minor: number, at: Date): void {
  const [transaction_id, payment_reference] = [newTransactionId(), newReference()]
  const ended_at = at.toISOString()
  organisation.topups.unshift({
    transaction_id,
    payment_reference,
    amount_minor: minor,
    status: 'paid',
    code: null,
    initiated_at: ended_at,
    expires_at: ended_at,
    ended_at,
  })
  const description = `Card top-up ${payment_reference}`
  recordBalanceChange(organisation, { type: 'topup', minor, description, transaction_id, now: at })
  const entry = { user_id: personas.accounts.id, activity: 'Organisation payment received', now: at }
  recordActivity(organisation, { ...entry, details: transaction_id })
}

/** Returns the organisations of the demo, newest first, with members and money as in the seed, but without verifications. */
export function demoOrganisations(now: Date): MockOrganisation[] {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const organisation = emptyOrganisation(`org_${'0'.repeat(23)}1`, demoOrganisation, ago(88))
  organisation.members = demoMembers.map(({ person, role }) => ({
    user_id: person.id,
    role,
    joined_at: ago(person.joined_days_ago - 2).toISOString(),
  }))
  organisation.vetted_at = ago(86).toISOString()
  for (const { minor, daysAgo } of demoCredits.topups) topUp(organisation, minor, ago(daysAgo))
  const { minor, reference, daysAgo } = demoCredits.bank
  const transaction_id = newTransactionId()
  organisation.transfers.push({
    transaction_id,
    amount_minor: minor,
    reference_key: bankReferenceKey(reference),
    reversed: false,
  })
  const description = `Bank transfer ${reference}`
  recordBalanceChange(organisation, {
    type: 'bank_credit',
    minor,
    description,
    transaction_id,
    now: ago(daysAgo),
  })
  const invoiceDate = ago(demoInvoice.daysAgo)
  organisation.invoices.push({
    id: `bil_${'0'.repeat(23)}1`,
    number: `INV-${invoiceDate.getUTCFullYear()}-000001`,
    amount_minor: demoInvoice.minor,
    state: 'open',
    due_on: new Date(invoiceDate.getTime() + INVOICE_DAYS * DAY_MS).toISOString().slice(0, 10),
    created_at: invoiceDate.toISOString(),
    paid_at: null,
    bank_details: [...demoBankDetails],
  })
  const suspended = emptyOrganisation(`org_${'0'.repeat(23)}2`, suspendedOrganisation, ago(100))
  suspended.state = 'suspended'
  suspended.state_reason = SUSPENSION_REASON
  suspended.members = [{ user_id: personas.bureau.id, role: 'owner', joined_at: ago(100).toISOString() }]
  return [organisation, suspended]
}
