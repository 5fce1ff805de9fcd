import type { AccountData } from '@portal/contract/account-data'
import { verificationTemplate } from '@portal/contract/letter'
import { toMajor } from '@portal/format/money'
import { toProfile } from '../accounts/sign-in-rules.ts'
import { toLetterWithChecks } from '../letters/rules.ts'
import { statusOfPayment } from '../verification/rules.ts'
import { letterCertificate } from '../verification/store.ts'
import { iso, isoOrNull, majorOrNull } from '../wire.ts'
import type { AccountRows } from './account-rows-store.ts'

const toVerificationData = (
  { item, transactionId, fulfilment }: AccountRows['items'][number],
  letters: AccountRows['letters'],
) => ({
  certificate_number: item.certificateNumber,
  transaction_id: transactionId,
  requested_at: iso(item.createdAt),
  result: item.result,
  // `resultAt` is the time of the request while there is no result.
  result_at: item.result === 'pending' ? null : isoOrNull(item.resultAt),
  certificate:
    fulfilment?.outcome === 'verified'
      ? letterCertificate(
          fulfilment,
          letters.find(({ letter }) => letter.paymentItemId === item.id && letter.replacedBy === null),
        )
      : null,
})

const toPaymentData = (payment: AccountRows['payments'][number]) => ({
  transaction_id: payment.transactionId,
  payment_reference: payment.providerReference,
  provider: payment.provider,
  status: statusOfPayment(payment),
  resolution: payment.resolution,
  amount_due: toMajor(payment.amountMinor),
  amount_paid: majorOrNull(payment.amountPaidMinor),
  currency: payment.currency,
  created_at: iso(payment.createdAt),
  paid_at: isoOrNull(payment.paidAt),
})

const toRefundData = ({ refund, transactionId }: AccountRows['refunds'][number]) => ({
  transaction_id: transactionId,
  amount: toMajor(refund.amountMinor),
  currency: refund.currency,
  status: refund.status,
  created_at: iso(refund.createdAt),
  processed_at: isoOrNull(refund.processedAt),
})

const toLetterData = (current: AccountRows['letters'][number], publicUrl: string) => ({
  ...toLetterWithChecks(current, publicUrl),
  ref_number: current.letter.refNumber,
  issued_at: iso(current.letter.issuedAt),
  recipient: verificationTemplate.parse(current.letter.template).recipient,
})

/**
 * Converts an account's rows to the export for its owner. Details of staff actions are left out, because they contain data of
 * other people.
 */
export function toAccountData(
  rows: AccountRows,
  { publicUrl, now }: { publicUrl: string; now: number },
): AccountData {
  const { user } = rows
  return {
    exported_at: iso(now),
    profile: {
      ...toProfile(user),
      is_enabled: user.isEnabled,
      updated_at: iso(user.updatedAt),
      second_factor: rows.hasSecondFactor,
    },
    sessions: rows.sessions.map(({ createdAt, expiresAt }) => ({
      started_at: iso(createdAt),
      expires_at: iso(expiresAt),
    })),
    verifications: rows.items.map(item => toVerificationData(item, rows.letters)),
    payments: rows.payments.map(toPaymentData),
    refunds: rows.refunds.map(toRefundData),
    letters: rows.letters.map(current => toLetterData(current, publicUrl)),
    organisations: {
      memberships: rows.organisations.map(({ organisation, role }) => ({ name: organisation.name, role })),
      invitations: rows.invitations.map(({ invitation, organisation }) => ({
        organisation,
        role: invitation.role,
        state: invitation.state,
        created_at: iso(invitation.createdAt),
      })),
      requests: rows.requests.map(({ organisation, certificateNumber, reference, at }) => ({
        organisation,
        certificate_number: certificateNumber,
        reference,
        requested_at: iso(at),
      })),
      api_keys: rows.apiKeys.map(({ key, organisation }) => ({
        organisation,
        name: key.name,
        mode: key.mode,
        last4: key.last4,
        created_at: iso(key.createdAt),
      })),
    },
    notifications: rows.notifications.map(({ kind, title, body, link, createdAt, readAt }) => ({
      kind,
      title,
      body,
      link,
      created_at: iso(createdAt),
      read_at: isoOrNull(readAt),
    })),
    activity: rows.activity.map(({ activity, details, ipAddress, at }) => ({
      activity,
      details: user.role === 'user' ? details : '',
      ip_address: ipAddress,
      timestamp: iso(at),
    })),
  }
}
