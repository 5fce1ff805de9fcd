import type { adminOrganisations } from '@portal/contract/admin-organisations'
import { formatMinor, toMajor, toMinor } from '@portal/format/money'
import { bankReferenceKey, organisationMessages } from '@portal/rules/organisations'
import { requireOwnPassword } from '../accounts/own-password.ts'
import type { Tx } from '../db/database.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Handler } from '../http/serve.ts'
import { liveScope, runOnceForKey } from '../idempotency/once-for-key.ts'
import { newReference, newTransactionId } from '../ids.ts'
import { withdrawLettersOf } from '../letters/store.ts'
import { recordChange } from '../logs/record-change.ts'
import { sendSoon } from '../mail/outbox.ts'
import { recordLetterStatus } from '../organisation-events/letter-events.ts'
import { takeAvailable } from '../organisation-money/balance-store.ts'
import { credit } from '../organisation-money/credit.ts'
import { buildDebitEntries } from '../organisation-money/rules.ts'
import { storeState } from '../payments/enter-state.ts'
import { insertEntries } from '../payments/money-store.ts'
import type { Entry } from '../payments/rules.ts'
import {
  appendEvent,
  findPayment,
  findPaymentById,
  insertAttempt,
  listPaymentItems,
  type Payment,
} from '../payments/store.ts'
import { CURRENCY } from '../settings/rules.ts'
import { findTransfer, insertTransfer, isCredited, markTransferReversed } from './admin-store.ts'
import { toMovement } from './billing-rules.ts'
import { endInvoice, findInvoice, findInvoiceByNumber, findMovement } from './billing-store.ts'
import { organisationOrFail } from './handlers.ts'
import { findVerification } from './verification-store.ts'

type Domain = typeof adminOrganisations

/** Stores a bank transfer as a payment without a gateway, so that the ledger and the lists include it. */
async function insertBankPayment(
  tx: Tx,
  { organisationId, amountMinor, at }: { organisationId: string; amountMinor: number; at: number },
): Promise<Payment> {
  const id = crypto.randomUUID()
  await insertAttempt(
    tx,
    {
      id,
      transactionId: newTransactionId(),
      userId: organisationId,
      organisationId,
      purpose: 'topup',
      provider: 'bank',
      providerReference: newReference(),
      mode: 'live',
      amountMinor,
      amountPaidMinor: amountMinor,
      currency: CURRENCY,
      status: 'paid',
      unknownPolicy: 'free',
      createdAt: at,
      updatedAt: at,
      paidAt: at,
      expiresAt: at,
      nextRequeryAt: null,
    },
    [],
  )
  const payment = await findPaymentById(tx, { id })
  if (!payment) throw new Error('a payment has disappeared')
  return payment
}

async function buildReply(tx: Tx, key: string, organisationId: string, message: string) {
  const movement = await findMovement(tx, { key })
  const organisation = await organisationOrFail(tx, organisationId)
  if (!movement) throw new Error('a movement has disappeared')
  return { message, movement: toMovement(movement), balance: toMajor(organisation.balanceMinor) }
}

const insertLedgerEntries = (tx: Tx, payment: Payment, entries: Entry[], at: number) =>
  insertEntries(tx, { paymentId: payment.id, entries, currency: payment.currency, at })

/** Marks the invoice with this number or ID as paid. @returns its ID */
async function payInvoice(
  tx: Tx,
  {
    organisationId,
    reference,
    paymentId,
    at,
  }: { organisationId: string; reference: string; paymentId: string; at: number },
): Promise<string> {
  const invoiceNumber = /^INV-(\d{4})-(\d+)$/i.exec(reference.trim())
  const invoice = invoiceNumber
    ? await findInvoiceByNumber(tx, {
        organisationId,
        year: Number(invoiceNumber[1]),
        numberInYear: Number(invoiceNumber[2]),
      })
    : await findInvoice(tx, { organisationId, id: reference })
  const message = 'There is no open invoice with this number.'
  if (!invoice) throw invalidField('invoice', message)
  const paid = await endInvoice(tx, { id: invoice.id, state: 'paid', paidAt: at, paymentId })
  if (!paid) throw invalidField('invoice', message)
  return invoice.id
}

export const creditTransfer: Handler<Domain['credit']> = async call => {
  const { params, body, ports } = call
  const organisationId = params.id
  const reply = await runOnceForKey(
    call,
    { scope: liveScope(organisationId), action: 'credit' },
    async tx => {
      const organisation = await organisationOrFail(tx, organisationId)
      if (organisation.state === 'closed') throw new Fault('WRONG_STATE')
      const at = ports.clock.now()
      const referenceKey = bankReferenceKey(body.bank_reference)
      if (await isCredited(tx, { referenceKey }))
        throw invalidField('bank_reference', organisationMessages.referenceUsed)
      const amountMinor = toMinor(body.amount)
      const payment = await insertBankPayment(tx, { organisationId, amountMinor, at })
      const invoiceId =
        body.invoice === null
          ? null
          : await payInvoice(tx, { organisationId, reference: body.invoice, paymentId: payment.id, at })
      await insertTransfer(tx, {
        paymentId: payment.id,
        organisationId,
        kind: 'credit',
        bankReference: body.bank_reference,
        referenceKey,
        receivedOn: body.received_on,
        invoiceId,
        note: body.note,
        createdAt: at,
      })
      const key = `bank_credit:${payment.id}`
      const creditEntries = await credit(ports, tx, 'bank_credit', {
        organisationId,
        amountMinor,
        paymentId: payment.id,
        description: `Bank transfer ${body.bank_reference}`,
        key,
        at,
      })
      await insertLedgerEntries(
        tx,
        payment,
        [{ account: 'bank', minor: amountMinor, reason: 'bank_credit' }, ...creditEntries],
        at,
      )
      await recordChange(tx, call, {
        activity: 'Bank transfer credited',
        details: `${formatMinor(amountMinor)}, ${body.bank_reference}`,
        organisationId,
      })
      return await buildReply(tx, key, organisationId, organisationMessages.credited)
    },
  )
  sendSoon(ports)
  return reply
}

export const reverseTransfer: Handler<Domain['reverseCredit']> = async call => {
  const { db, params, body, ports } = call
  await requireOwnPassword(call, body.current_password)
  return await db.write(async tx => {
    await organisationOrFail(tx, params.id)
    const payment = await findPayment(tx, { transactionId: params.transaction_id })
    const transfer = payment && (await findTransfer(tx, { paymentId: payment.id }))
    if (!payment || transfer?.kind !== 'credit' || transfer.organisationId !== params.id)
      throw new Fault('TRANSACTION_NOT_FOUND')
    const at = ports.clock.now()
    if (!(await markTransferReversed(tx, { paymentId: payment.id, at }))) throw new Fault('WRONG_STATE')
    const { amountMinor } = payment
    const key = `credit_reversed:${payment.id}`
    const wasAvailable = await takeAvailable(tx, 'credit_reversed', {
      organisationId: params.id,
      amountMinor,
      paymentId: payment.id,
      description: `Reversal of bank transfer ${transfer.bankReference}`,
      key,
      at,
    })
    if (!wasAvailable) throw new Fault('INSUFFICIENT_BALANCE')
    await storeState(tx, payment, 'reversed', { resolution: 'reversed' }, at)
    const bankEntry = { account: 'bank' as const, minor: -amountMinor, reason: 'credit_reversed' }
    await insertLedgerEntries(
      tx,
      payment,
      [...buildDebitEntries('credit_reversed', amountMinor), bankEntry],
      at,
    )
    await recordChange(tx, call, {
      activity: 'Bank transfer reversed',
      details: `${formatMinor(amountMinor)}, ${transfer.bankReference}. ${body.note}`,
      organisationId: params.id,
    })
    return await buildReply(tx, key, params.id, organisationMessages.reversed)
  })
}

export const payOut: Handler<Domain['payOut']> = async call => {
  const { params, body, ports } = call
  await requireOwnPassword(call, body.current_password)
  const organisationId = params.id
  const { current_password: _, ...request } = body
  const operation = { scope: liveScope(organisationId), action: 'payout' }
  return await runOnceForKey({ ...call, body: request }, operation, async tx => {
    await organisationOrFail(tx, organisationId)
    const at = ports.clock.now()
    const amountMinor = toMinor(body.amount)
    const payment = await insertBankPayment(tx, { organisationId, amountMinor, at })
    const key = `payout:${payment.id}`
    const wasAvailable = await takeAvailable(tx, 'payout', {
      organisationId,
      amountMinor,
      paymentId: payment.id,
      description: `Paid out, ${body.bank_reference}`,
      key,
      at,
    })
    if (!wasAvailable) throw new Fault('INSUFFICIENT_BALANCE')
    await insertTransfer(tx, {
      paymentId: payment.id,
      organisationId,
      kind: 'payout',
      bankReference: body.bank_reference,
      referenceKey: bankReferenceKey(body.bank_reference),
      note: body.note,
      createdAt: at,
    })
    const bankEntry = { account: 'bank' as const, minor: -amountMinor, reason: 'payout' }
    await insertLedgerEntries(tx, payment, [...buildDebitEntries('payout', amountMinor), bankEntry], at)
    await recordChange(tx, call, {
      activity: 'Balance paid out',
      details: `${formatMinor(amountMinor)}, ${body.bank_reference}. ${body.note}`,
      organisationId,
    })
    return await buildReply(tx, key, organisationId, organisationMessages.paidOut)
  })
}

/** Refunds a charge to the organisation's balance. The payment then counts as reversed, so its letter is withdrawn. */
export const refundCharge: Handler<Domain['refund']> = async call => {
  const { db, params, body, ports, user } = call
  const reply = await db.write(async tx => {
    const organisation = await organisationOrFail(tx, params.id)
    const found = await findVerification(tx, { organisationId: params.id, id: params.ver })
    if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such verification.' })
    const { paymentId, certificateNumber } = found.verification
    const payment = paymentId === null ? undefined : await findPaymentById(tx, { id: paymentId })
    if (payment?.status !== 'paid' || payment.amountMinor === 0 || organisation.state === 'closed')
      throw new Fault('WRONG_STATE')
    const at = ports.clock.now()
    const { amountMinor } = payment
    await storeState(tx, payment, 'reversed', { resolution: 'refunded' }, at)
    const key = `charge_returned:${payment.id}`
    const creditEntries = await credit(ports, tx, 'charge_returned', {
      organisationId: params.id,
      amountMinor,
      paymentId: payment.id,
      description: `Refund of verification ${certificateNumber}`,
      key,
      at,
    })
    const revenueEntry = { account: 'revenue' as const, minor: amountMinor, reason: 'charge_returned' }
    await insertLedgerEntries(tx, payment, [revenueEntry, ...creditEntries], at)
    const items = await listPaymentItems(tx, { paymentId: payment.id })
    const codes = await withdrawLettersOf(tx, { itemIds: items.map(({ id }) => id), at })
    await recordLetterStatus(tx, ports, { codes, status: 'withdrawn', at })
    const event = {
      fromStatus: 'paid',
      toStatus: 'reversed',
      source: 'user',
      actorId: user.id,
      amountMinor,
      at,
    }
    await appendEvent(tx, { paymentId: payment.id, type: 'charge_returned', ...event })
    await recordChange(tx, call, {
      activity: 'Organisation charge refunded',
      details: `${certificateNumber}: ${formatMinor(amountMinor)}. ${body.note}`,
      organisationId: params.id,
    })
    return await buildReply(tx, key, params.id, organisationMessages.refunded)
  })
  sendSoon(ports)
  return reply
}
