import type { StaffTransaction, TransactionRecord } from '@portal/contract/transactions'
import { toMajor } from '@portal/format/money'
import { displayEmail } from '../erased.ts'
import { toTaxRate } from '../settings/tax-line.ts'
import { iso, majorOrNull } from '../wire.ts'
import { toPayerFee } from './replies.ts'
import { gatewayStatusText, statusOfPayment } from './rules.ts'
import type { TransactionRow } from './transactions-store.ts'

/** Converts a payment to a record with the field names of the payment provider, as payers and staff see it. */
export function toTransactionRecord({ payment, payer, item, itemCount }: TransactionRow): TransactionRecord {
  return {
    transaction_id: payment.transactionId,
    transid: payment.transactionId,
    payment_reference: payment.providerReference,
    regnum: item?.certificateNumber ?? '',
    items: itemCount,
    sname: payer.lastname,
    fname: payer.firstname,
    email: displayEmail(payer.email),
    currency: payment.currency,
    amount_due: toMajor(payment.amountMinor),
    amount_paid: majorOrNull(payment.amountPaidMinor),
    status: statusOfPayment(payment),
    status_desc: gatewayStatusText(payment).toUpperCase(),
    created_at: iso(payment.createdAt),
    updated_at: iso(payment.updatedAt),
  }
}

/** Converts a payment to the form in which staff see it: the provider's fields, with tax and fees. */
export function toStaffTransaction(row: TransactionRow): StaffTransaction {
  const { payment } = row
  const { gatewayFeeMinor: fee } = payment
  return {
    ...toTransactionRecord(row),
    ...toTaxRate(payment),
    ...toPayerFee(payment),
    ...(fee !== null && { gateway_fee: toMajor(fee) }),
  }
}
