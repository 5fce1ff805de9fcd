import { formatMinor } from '@portal/format/money'
import { refundMessages } from '@portal/rules/messages'
import type { Database } from '../db/database.ts'
import { Fault, invalidField } from '../fault.ts'
import { recordLogEntry } from '../logs/store.ts'
import { type Bank, type BankAccount, GatewayRefusal, type Refund } from '../payment-gateway.ts'
import type { Ports } from '../ports.ts'
import type { Principal } from '../principal.ts'
import { withDeadline } from './query-gateway.ts'
import { findRefundAccounts } from './refund-rules.ts'
import { claimRefund, type RefundView, releaseRefund } from './refund-store.ts'
import { refundOrFail, storeRefundResponse } from './refunds.ts'
import { LEASE_MS } from './schedule.ts'
import { retryOnConflict } from './version-conflict.ts'

/*
 * Sends a refund that needs attention to the payer's bank account. The account details are passed on to the gateway, and
 * neither stored nor logged here.
 */

/** Time until the gateway is requeried if it did not acknowledge the account details, in milliseconds. */
const REQUERY_DELAY_MS = 60_000

const createUnansweredFault = (message: string, cause: unknown) =>
  new Fault('GATEWAY_UNAVAILABLE', { message, retryAfter: 5, cause: causeOf(cause) })

/** Returns only the kind of failure, because the error's text could repeat the data that was sent. */
const causeOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown')

/**
 * Lists the banks to which the gateway can transfer a refund; empty if it accepts no bank account.
 * @throws Fault `NOT_FOUND`, `GATEWAY_UNAVAILABLE`
 */
export async function listRefundBanks(ports: Ports, database: Database, id: string): Promise<Bank[]> {
  const accounts = findRefundAccounts(await refundOrFail(database, id), ports.gateways)
  if (!accounts) return []
  return withDeadline(signal => accounts.listBanks(signal)).catch((error: unknown) => {
    throw createUnansweredFault('The gateway did not send its list of banks. Please try again.', error)
  })
}

/**
 * Returns the name of a bank account's holder, or undefined if the gateway does not know the account.
 * @throws Fault `NOT_FOUND`, `GATEWAY_UNAVAILABLE`
 */
export async function findAccountName(
  ports: Ports,
  database: Database,
  { id, ...account }: { id: string; bankCode: string; number: string },
): Promise<string | undefined> {
  const accounts = findRefundAccounts(await refundOrFail(database, id), ports.gateways)
  if (!accounts) return undefined
  return withDeadline(signal => accounts.findAccountName(account, signal)).catch((error: unknown) => {
    throw createUnansweredFault('The gateway could not look up this account. Please try again.', error)
  })
}

export interface RefundRetry {
  id: string
  actor: Pick<Principal, 'id' | 'email'>
  account: BankAccount
  address: string
  requestId: string
}

/**
 * Has the gateway transfer a refund that needs attention to a bank account. Any other refund is left unchanged.
 * @returns the refund's current state
 * @throws Fault `NOT_FOUND`; `VALIDATION_ERROR` if the gateway accepts no account or rejected this one; `GATEWAY_UNAVAILABLE`
 * if it did not respond
 */
export async function retryRefund(ports: Ports, database: Database, retry: RefundRetry): Promise<RefundView> {
  const { id, account } = retry
  const found = await refundOrFail(database, id)
  const { refund } = found
  if (refund.status === 'approved' || refund.status === 'processed') return found
  const accounts = findRefundAccounts(found, ports.gateways)
  const refundId = refund.providerRefundId
  if (!accounts || refundId === null) throw invalidField('account_number', refundMessages.noBankAccount)
  if (!(await claimRefundRetry(ports, database, found, retry)))
    throw invalidField('account_number', 'This refund is being processed. Please try again in a minute.')
  const retryAt = ports.clock.now() + REQUERY_DELAY_MS
  let answer: Refund
  try {
    answer = await withDeadline(signal => accounts.retry({ refundId, account }, signal))
  } catch (error) {
    await database.write(tx => releaseRefund(tx, { id, nextTryAt: retryAt }))
    if (error instanceof GatewayRefusal)
      throw invalidField('account_number', 'The gateway did not accept this bank account. Please check it.')
    ports.log({
      level: 'warn',
      event: 'refund_unanswered',
      provider: found.payment.provider,
      cause: causeOf(error),
    })
    throw createUnansweredFault(
      'The gateway did not answer. Please try again in a minute: its state is checked first, so nothing is paid twice.',
      error,
    )
  }
  const { attempts } = refund
  await retryOnConflict(() => database.write(tx => storeRefundResponse(ports, tx, { id, attempts }, answer)))
  return refundOrFail(database, id)
}

/**
 * Leases the refund to this call, and logs who sent the account details.
 * @returns false if the refund is already being processed
 */
function claimRefundRetry(
  ports: Ports,
  database: Database,
  { refund, payment }: RefundView,
  { actor, address, requestId }: RefundRetry,
): Promise<boolean> {
  const at = ports.clock.now()
  return database.write(async tx => {
    if (!(await claimRefund(tx, { seen: refund, now: at, until: at + LEASE_MS }))) return false
    await recordLogEntry(tx, {
      userId: actor.id,
      userEmail: actor.email,
      activity: 'Refund account sent',
      details: `${payment.transactionId}: ${formatMinor(refund.amountMinor, refund.currency)}, to the payer's bank account`,
      ipAddress: address,
      requestId,
      at,
    })
    return true
  })
}
