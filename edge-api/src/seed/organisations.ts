import {
  demoBankDetails,
  demoCredits,
  demoInvoice,
  demoMembers,
  demoOrganisation,
  demoOrganisationBatch,
  demoOrganisationVerifications,
  SUSPENSION_REASON,
  suspendedOrganisation,
} from '@portal/fixtures/organisations'
import { type Persona, personas } from '@portal/fixtures/personas'
import { toIsoDate } from '@portal/format/dates'
import { formatMinor } from '@portal/format/money'
import { addressLine, bankReferenceKey } from '@portal/rules/organisations'
import type { Tx } from '../db/database.ts'
import { newPrefixedId, newReference, newTransactionId } from '../ids.ts'
import { recordLogEntry } from '../logs/store.ts'
import { insertMember } from '../membership/store.ts'
import { addToBalance } from '../organisation-money/balance-store.ts'
import { buildCreditEntries } from '../organisation-money/rules.ts'
import { insertTransfer } from '../organisations/admin-store.ts'
import { formatInvoiceNumber, monthOf } from '../organisations/billing-rules.ts'
import { insertInvoice, listInvoices, setAlert } from '../organisations/billing-store.ts'
import { changeOrganisation, insertOrganisation } from '../organisations/store.ts'
import type { VerifyingCall } from '../organisations/verify.ts'
import { insertEntries } from '../payments/money-store.ts'
import { DEMO_PROVIDER } from '../payments/rules.ts'
import { appendEvent, insertAttempt } from '../payments/store.ts'
import { runDemoBatch } from './organisation-batch.ts'
import { demoEndpointSteps } from './organisation-endpoint.ts'
import { demoKeySteps } from './organisation-keys.ts'
import type { Step } from './organisation-steps.ts'
import { actorColumns, type DemoOrganisation, verifyNumber } from './organisation-verifications.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const INVOICE_DAYS = 60
const LOW_BALANCE_ALERT_MINOR = 10_000_000

/** Stores a payment that credits the balance, with its movement and ledger entries. */
async function creditDemoBalance(
  db: Tx,
  { id }: DemoOrganisation,
  money: { type: 'topup' | 'bank_credit'; minor: number; transferDescription: string; at: number },
): Promise<string> {
  const { type, minor, transferDescription, at } = money
  const isCard = type === 'topup'
  const paymentId = crypto.randomUUID()
  const providerReference = newReference()
  const transactionId = newTransactionId()
  await insertAttempt(
    db,
    {
      id: paymentId,
      transactionId,
      userId: isCard ? personas.accounts.id : id,
      organisationId: id,
      purpose: 'topup',
      provider: isCard ? DEMO_PROVIDER : 'bank',
      providerReference,
      mode: isCard ? 'test' : 'live',
      amountMinor: minor,
      amountPaidMinor: minor,
      currency: 'NGN',
      status: 'paid',
      unknownPolicy: 'free',
      ...(isCard && { gatewayStatus: 'APPROVED' }),
      createdAt: at,
      updatedAt: at,
      paidAt: at,
      expiresAt: at,
      nextRequeryAt: null,
    },
    [],
  )
  await appendEvent(db, { paymentId, type: 'paid', toStatus: 'paid', source: 'seed', amountMinor: minor, at })
  const description = isCard ? `Card top-up ${providerReference}` : transferDescription
  const key = `${type}:${paymentId}`
  const debtPaidMinor = await addToBalance(db, type, {
    organisationId: id,
    amountMinor: minor,
    paymentId,
    description,
    key,
    at,
  })
  const received = isCard
    ? { account: 'gateway_clearing' as const, minor, reason: 'payment received' }
    : { account: 'bank' as const, minor, reason: 'bank_credit' }
  const entries = [received, ...buildCreditEntries(type, minor, debtPaidMinor)]
  await insertEntries(db, { paymentId, entries, currency: 'NGN', at })
  const actor = isCard ? personas.accounts : personas.superAdmin
  await recordLogEntry(db, {
    ...actorColumns(actor),
    activity: isCard ? 'Organisation payment received' : 'Bank transfer credited',
    details: isCard
      ? `${transactionId}: ${formatMinor(minor)}`
      : `${formatMinor(minor)}, ${transferDescription}`,
    organisationId: id,
    at,
  })
  return paymentId
}

async function creditTransfer(db: Tx, team: DemoOrganisation, at: number): Promise<void> {
  const { minor, reference } = demoCredits.bank
  const transferDescription = `Bank transfer ${reference}`
  const paymentId = await creditDemoBalance(db, team, { type: 'bank_credit', minor, transferDescription, at })
  await insertTransfer(db, {
    paymentId,
    organisationId: team.id,
    kind: 'credit',
    bankReference: reference,
    referenceKey: bankReferenceKey(reference),
    receivedOn: toIsoDate(at),
    createdAt: at,
  })
}

async function openInvoice(db: Tx, { id }: DemoOrganisation, at: number): Promise<void> {
  const expiresAt = at + INVOICE_DAYS * DAY
  await insertInvoice(db, {
    id: newPrefixedId('bil'),
    organisationId: id,
    year: Number(monthOf(at).slice(0, 4)),
    amountMinor: demoInvoice.minor,
    state: 'open',
    dueOn: toIsoDate(expiresAt),
    addressee: addressLine(demoOrganisation),
    bankDetails: demoBankDetails,
    createdBy: personas.accounts.id,
    createdAt: at,
    expiresAt,
  })
  const { rows } = await listInvoices(db, { organisationId: id, limit: 1, offset: 0 })
  const activity = 'Organisation invoice created'
  const details = rows[0] ? formatInvoiceNumber(rows[0]) : ''
  await recordLogEntry(db, { ...actorColumns(personas.accounts), activity, details, organisationId: id, at })
}

/** Returns the steps in which the organisation was created, vetted and joined by its members. */
function foundingSteps({ id }: DemoOrganisation, ago: (days: number) => number): Step[] {
  const [{ person: owner }, ...others] = demoMembers
  const recordFor = (actor: Persona, activity: string, details: string, at: number) => (db: Tx) =>
    recordLogEntry(db, { ...actorColumns(actor), activity, details, organisationId: id, at })
  return [
    {
      at: ago(88),
      async run(db) {
        await insertOrganisation(db, { id, profile: demoOrganisation, createdBy: owner.id, at: ago(88) })
        await insertMember(db, { organisationId: id, userId: owner.id, role: 'owner', joinedAt: ago(88) })
        await setAlert(db, { id, alertMinor: LOW_BALANCE_ALERT_MINOR, at: ago(88) })
        await recordFor(owner, 'Organisation created', demoOrganisation.name, ago(88))(db)
      },
    },
    ...others.map(({ person, role }, index) => {
      const at = ago(87) + index * 60 * MINUTE
      return {
        at,
        async run(db: Tx) {
          await insertMember(db, { organisationId: id, userId: person.id, role, joinedAt: at })
          await recordFor(person, 'Organisation member joined', person.email, at)(db)
        },
      }
    }),
    {
      at: ago(86),
      async run(db) {
        await changeOrganisation(db, id, { vettedAt: ago(86), updatedAt: ago(86) })
        await recordFor(personas.admin, 'Organisation vetted', demoOrganisation.name, ago(86))(db)
      },
    },
  ]
}

/** Returns the steps of an organisation that staff suspended. Its owner is the persona `bureau`. */
function suspensionSteps(ago: (days: number) => number): Step[] {
  const id = newPrefixedId('org')
  const { id: userId } = personas.bureau
  const { name } = suspendedOrganisation
  return [
    {
      at: ago(100),
      async run(db) {
        await insertOrganisation(db, { id, profile: suspendedOrganisation, createdBy: userId, at: ago(100) })
        await insertMember(db, { organisationId: id, userId, role: 'owner', joinedAt: ago(100) })
        const entry = { activity: 'Organisation created', details: name, organisationId: id, at: ago(100) }
        await recordLogEntry(db, { ...actorColumns(personas.bureau), ...entry })
      },
    },
    {
      at: ago(30),
      async run(db) {
        await changeOrganisation(db, id, {
          state: 'suspended',
          stateReason: SUSPENSION_REASON,
          updatedAt: ago(30),
        })
        const entry = { activity: 'Organisation suspended', organisationId: id, at: ago(30) }
        await recordLogEntry(db, {
          ...actorColumns(personas.admin),
          ...entry,
          details: `${name}: ${SUSPENSION_REASON}`,
        })
      },
    },
  ]
}

/**
 * Returns the steps that create the demo's organisations, as the product itself would store them. `numbers` are certificate
 * numbers that no one has verified yet.
 */
export function demoOrganisationSteps({
  call,
  numbers,
  now,
}: {
  call: VerifyingCall
  numbers: readonly string[]
  now: number
}): Step[] {
  const ago = (days: number) => now - days * DAY
  const team = { id: newPrefixedId('org'), call }
  const singleVerifications = demoOrganisationVerifications(numbers, now).map(
    ({ at, requester, ...order }): Step => {
      const request = { ...order, by: requester, source: 'portal' as const, batchId: null, at }
      return { at, run: async db => void (await verifyNumber(db, team, request)) }
    },
  )
  const batchAt = ago(demoOrganisationBatch.daysAgo)
  return [
    ...suspensionSteps(ago),
    ...foundingSteps(team, ago),
    ...demoCredits.topups.map(({ daysAgo, minor }) => ({
      at: ago(daysAgo),
      run: async (db: Tx) =>
        void (await creditDemoBalance(db, team, {
          type: 'topup',
          minor,
          transferDescription: '',
          at: ago(daysAgo),
        })),
    })),
    ...singleVerifications,
    { at: ago(demoCredits.bank.daysAgo), run: db => creditTransfer(db, team, ago(demoCredits.bank.daysAgo)) },
    ...demoKeySteps(team, ago),
    ...demoEndpointSteps(team, ago),
    { at: batchAt, run: db => runDemoBatch(db, team, { numbers, at: batchAt }) },
    { at: ago(demoInvoice.daysAgo), run: db => openInvoice(db, team, ago(demoInvoice.daysAgo)) },
  ]
}
