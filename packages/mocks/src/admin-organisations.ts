import type { adminOrganisations as routes } from '@portal/contract/admin-organisations'
import type { ExpectedVersion } from '@portal/contract/if-match'
import { toMajor, toMinor } from '@portal/format/money'
import { organisationStateNotice } from '@portal/format/organisation-notices'
import { accountMessages } from '@portal/rules/messages'
import { bankReferenceKey, organisationMessages } from '@portal/rules/organisations'
import { Fault, invalidField } from './fault.ts'
import { requireVersion } from './history.ts'
import { newTransactionId } from './ids.ts'
import { pushNotification } from './notify.ts'
import { listMemberReplies, organisationOf } from './organisation-access.ts'
import { movementOf, toInvoice } from './organisation-billing.ts'
import { recordActivity, recordBalanceChange } from './organisation-movements.ts'
import { activeMembers, organisationsIn } from './organisation-state.ts'
import { notifyCredit } from './organisation-topups.ts'
import type { MockMovement, MockOrganisation } from './organisation-types.ts'
import { availableOf } from './organisation-verifications.ts'
import { closeOrganisation } from './organisations.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState, MockUser } from './state.ts'

const NEWEST_COUNT = 10

function organisationOrFail(state: MockState, id: string): MockOrganisation {
  const found = organisationsIn(state).find(item => item.id === id)
  if (!found) throw new Fault('ORGANISATION_NOT_FOUND')
  return found
}

interface StaffCall {
  state: MockState
  user: MockUser
  params: { id: string }
  expected: ExpectedVersion | undefined
  now: Date
}

/** Changes the state of an organisation and notifies its owners and managers. */
function changeOrganisation(
  { state, user, params, expected, now }: StaffCall,
  changes: Partial<Pick<MockOrganisation, 'state' | 'state_reason' | 'vetted_at'>>,
  {
    isAllowed,
    activity,
    notice,
    message,
  }: {
    isAllowed: (organisation: MockOrganisation) => boolean
    activity: string
    notice?: Parameters<typeof organisationStateNotice>[1]
    message: string
  },
) {
  const organisation = organisationOrFail(state, params.id)
  requireVersion({ expected }, organisation.version)
  if (!isAllowed(organisation)) throw new Fault('WRONG_STATE')
  Object.assign(organisation, changes, { version: organisation.version + 1 })
  recordActivity(organisation, { user_id: user.id, activity, details: organisation.name, now })
  const link = `/dashboard/organisations/${organisation.id}`
  if (notice)
    for (const { member, user: item } of activeMembers(state, organisation))
      if (member.role === 'owner' || member.role === 'manager')
        pushNotification(state, item.id, organisationStateNotice(organisation.name, notice), link, now)
  return { message, organisation: organisationOf(organisation) }
}

function requirePassword(user: MockUser, password: string): void {
  if (password !== user.password)
    throw new Fault('INVALID_CURRENT_PASSWORD', { current_password: accountMessages.wrongOwnPassword })
}

/** Records a change of an organisation's balance, and returns the reply of the route. */
const recordAndReply = (
  organisation: MockOrganisation,
  change: Parameters<typeof recordBalanceChange>[1],
  message: string,
) => ({
  message,
  movement: movementOf(recordBalanceChange(organisation, change)),
  balance: toMajor(organisation.balance_minor),
})

/** Returns whether staff can reverse a movement and, for a charge that can be refunded, the ID of its verification. */
function describeUndo(
  state: MockState,
  organisation: MockOrganisation,
  { type, transaction_id: transactionId }: MockMovement,
) {
  const chargedVerification =
    type === 'charge' &&
    organisation.verifications.find(verification => verification.transaction_id === transactionId)
  const isRefundable =
    chargedVerification &&
    state.payments.some(payment => payment.transaction_id === transactionId && payment.status === 'paid')
  const transfer =
    type === 'bank_credit' && organisation.transfers.find(item => item.transaction_id === transactionId)
  return {
    verification_id: (isRefundable && chargedVerification.id) || null,
    reversible: organisation.state !== 'closed' && Boolean(isRefundable || (transfer && !transfer.reversed)),
  }
}

const countOf = (state: MockState, organisation: MockOrganisation) => ({
  members: activeMembers(state, organisation).length,
  verifications: organisation.verifications.length,
})

export const adminOrganisations: HandlersOf<typeof routes> = {
  list({ state, query }) {
    const search = query.search.toLowerCase()
    const found = organisationsIn(state).filter(
      item =>
        [item.name, item.id, item.contact_email, item.registration_number ?? ''].some(text =>
          text.toLowerCase().includes(search),
        ) &&
        (query.state === undefined || item.state === query.state) &&
        (query.vetted === undefined || (item.vetted_at !== null) === query.vetted),
    )
    const { rows, pagination } = paginateRows(found, query)
    return {
      organisations: rows.map(item => ({ ...organisationOf(item), ...countOf(state, item) })),
      pagination,
      offered: state.settings.policies.organisations === 'on' || organisationsIn(state).length > 0,
    }
  },
  read({ state, params, now }) {
    const organisation = organisationOrFail(state, params.id)
    const { verifications, batches, movements, invoices } = organisation
    const count = (result: string) =>
      verifications.filter(verification => verification.result === result).length
    return {
      organisation: organisationOf(organisation),
      members: listMemberReplies(state, organisation),
      counts: {
        verifications: verifications.length,
        verified: count('verified'),
        not_found: count('not_found'),
        batches: batches.length,
        running_batches: batches.filter(batch => batch.status === 'processing').length,
        spent: verifications.reduce((sum, item) => sum + item.amount, 0),
      },
      movements: movements.slice(0, NEWEST_COUNT).map(movementOf),
      invoices: invoices.map(item => toInvoice(item, now)).filter(item => item.state === 'open'),
    }
  },
  movements({ state, params, query }) {
    const organisation = organisationOrFail(state, params.id)
    const { rows, pagination } = paginateRows(organisation.movements, query)
    return {
      movements: rows.map(row => ({ ...movementOf(row), ...describeUndo(state, organisation, row) })),
      pagination,
    }
  },
  vet: call =>
    changeOrganisation(
      call,
      { vetted_at: call.now.toISOString() },
      {
        isAllowed: item => item.vetted_at === null && item.state !== 'closed',
        activity: 'Organisation vetted',
        notice: 'vetted',
        message: organisationMessages.vetted,
      },
    ),
  unvet: call =>
    changeOrganisation(
      call,
      { vetted_at: null },
      {
        isAllowed: item => item.vetted_at !== null,
        activity: 'Organisation vetting removed',
        message: organisationMessages.unvetted,
      },
    ),
  suspend: call =>
    changeOrganisation(
      call,
      { state: 'suspended', state_reason: call.body.reason },
      {
        isAllowed: item => item.state === 'active',
        activity: 'Organisation suspended',
        notice: 'suspended',
        message: organisationMessages.suspended,
      },
    ),
  resume: call =>
    changeOrganisation(
      call,
      { state: 'active', state_reason: null },
      {
        isAllowed: item => item.state === 'suspended',
        activity: 'Organisation resumed',
        notice: 'active',
        message: organisationMessages.resumed,
      },
    ),
  credit({ state, params, body, user, now }) {
    const organisation = organisationOrFail(state, params.id)
    if (organisation.state === 'closed') throw new Fault('WRONG_STATE')
    const reference_key = bankReferenceKey(body.bank_reference)
    const isUsed = organisationsIn(state).some(({ transfers }) =>
      transfers.some(item => !item.reversed && item.reference_key === reference_key),
    )
    if (isUsed) throw invalidField('bank_reference', organisationMessages.referenceUsed)
    const invoiceName = body.invoice
    const invoice = organisation.invoices.find(item => item.id === invoiceName || item.number === invoiceName)
    if (invoiceName !== null && invoice?.state !== 'open')
      throw invalidField('invoice', 'There is no open invoice with this number.')
    if (invoice) Object.assign(invoice, { state: 'paid', paid_at: now.toISOString() })
    const transaction_id = newTransactionId()
    const amount_minor = toMinor(body.amount)
    organisation.transfers.push({ transaction_id, amount_minor, reference_key, reversed: false })
    const description = `Bank transfer ${body.bank_reference}`
    const movement = { type: 'bank_credit' as const, minor: amount_minor, description, transaction_id, now }
    const activity = 'Bank transfer credited'
    recordActivity(organisation, { user_id: user.id, activity, details: body.bank_reference, now })
    notifyCredit(state, organisation, amount_minor, now)
    return recordAndReply(organisation, movement, organisationMessages.credited)
  },
  reverseCredit({ state, params, body, user, now }) {
    requirePassword(user, body.current_password)
    const organisation = organisationOrFail(state, params.id)
    const { transaction_id } = params
    const transfer = organisation.transfers.find(item => item.transaction_id === transaction_id)
    if (!transfer) throw new Fault('TRANSACTION_NOT_FOUND')
    if (transfer.reversed) throw new Fault('WRONG_STATE')
    if (availableOf(organisation) < transfer.amount_minor) throw new Fault('INSUFFICIENT_BALANCE')
    transfer.reversed = true
    const type = 'credit_reversed' as const
    const description = `Reversal of bank transfer ${transfer.reference_key}`
    const movement = { type, minor: -transfer.amount_minor, description, transaction_id, now }
    recordActivity(organisation, { user_id: user.id, activity: 'Bank transfer reversed', now })
    return recordAndReply(organisation, movement, organisationMessages.reversed)
  },
  payOut({ state, params, body, user, now }) {
    requirePassword(user, body.current_password)
    const organisation = organisationOrFail(state, params.id)
    const minor = toMinor(body.amount)
    if (organisation.debt_minor > 0 || availableOf(organisation) < minor)
      throw new Fault('INSUFFICIENT_BALANCE')
    const transaction_id = newTransactionId()
    const description = `Paid out, ${body.bank_reference}`
    const movement = { type: 'payout' as const, minor: -minor, description, transaction_id, now }
    recordActivity(organisation, { user_id: user.id, activity: 'Balance paid out', now })
    return recordAndReply(organisation, movement, organisationMessages.paidOut)
  },
  refund({ state, params, user, now }) {
    const organisation = organisationOrFail(state, params.id)
    const verification = organisation.verifications.find(item => item.id === params.ver)
    if (!verification) throw new Fault('NOT_FOUND', undefined, 'There is no such verification.')
    const payment = state.payments.find(item => item.transaction_id === verification.transaction_id)
    if (payment?.status !== 'paid' || payment.amount_minor === 0) throw new Fault('WRONG_STATE')
    Object.assign(payment, { status: 'failed', code: 'PAYMENT_FAILED', verification_status: null })
    const { transaction_id, amount_minor: minor } = payment
    const description = `Refund of verification ${verification.certificate_number}`
    const movement = { type: 'charge_returned' as const, minor, description, transaction_id, now }
    recordActivity(organisation, { user_id: user.id, activity: 'Organisation charge refunded', now })
    return recordAndReply(organisation, movement, organisationMessages.refunded)
  },
  appointOwner({ state, params, body, user, now }) {
    const organisation = organisationOrFail(state, params.id)
    if (organisation.state === 'closed') throw new Fault('WRONG_STATE')
    const person = state.users.find(
      item => item.id === body.user_id && item.role === 'user' && item.is_enabled,
    )
    if (!person) throw new Fault('USER_NOT_FOUND')
    const existing = organisation.members.find(item => item.user_id === person.id)
    if (existing?.role === 'owner') throw new Fault('ALREADY_MEMBER')
    if (existing) existing.role = 'owner'
    else organisation.members.push({ user_id: person.id, role: 'owner', joined_at: now.toISOString() })
    recordActivity(organisation, { user_id: user.id, activity: 'Organisation member joined', now })
    const member = listMemberReplies(state, organisation).find(item => item.user_id === person.id)
    if (!member) throw new Fault('USER_NOT_FOUND')
    return { message: organisationMessages.ownerAppointed, member }
  },
  close({ state, params, expected, user, now }) {
    const organisation = organisationOrFail(state, params.id)
    requireVersion({ expected }, organisation.version)
    closeOrganisation(organisation, { user_id: user.id, now })
    return { message: organisationMessages.closed, organisation: organisationOf(organisation) }
  },
  reopen: call =>
    changeOrganisation(
      call,
      { state: 'active', state_reason: null },
      {
        isAllowed: item => item.state === 'closed',
        activity: 'Organisation reopened',
        notice: 'active',
        message: organisationMessages.reopened,
      },
    ),
}
