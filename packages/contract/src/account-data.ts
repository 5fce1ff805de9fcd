import './zod-setup.ts'
import * as z from 'zod'
import { heldLetter, verificationTemplate } from './letter.ts'
import { notification } from './notifications.ts'
import { invitationStates, keyModes, memberRole } from './organisation-shapes.ts'
import { refundStatuses } from './refunds.ts'
import { route } from './route.ts'
import { ownPassword } from './second-factor.ts'
import { idParam, message, money, profileUser, timestamp, verifiedCertificate } from './shapes.ts'
import { paymentStatus, resolution } from './verification.ts'

/* Data export and erasure of an account by its owner. Super admins do both on behalf of people who ask by email. */

/** Days between an erasure request and the erasure itself, during which it can be cancelled. */
export const ERASURE_GRACE_DAYS = 7

const verification = z.object({
  certificate_number: z.string(),
  transaction_id: z.string(),
  requested_at: timestamp,
  result: z.enum(['pending', 'success', 'failed']),
  result_at: timestamp.nullable(),
  /** The certificate as it was when the result was delivered. */
  certificate: verifiedCertificate.nullable(),
})

const payment = z.object({
  transaction_id: z.string(),
  payment_reference: z.string(),
  provider: z.string(),
  status: paymentStatus,
  resolution: resolution.nullable(),
  amount_due: money,
  amount_paid: money.nullable(),
  currency: z.string(),
  created_at: timestamp,
  paid_at: timestamp.nullable(),
})

const refund = z.object({
  transaction_id: z.string(),
  amount: money,
  currency: z.string(),
  status: z.enum(refundStatuses),
  created_at: timestamp,
  processed_at: timestamp.nullable(),
})

const letter = heldLetter.extend({
  ref_number: z.string(),
  issued_at: timestamp,
  recipient: verificationTemplate.shape.recipient,
})

/** All data of one account, each list newest first. */
export const accountData = z.object({
  exported_at: timestamp,
  profile: profileUser.omit({ version: true }).extend({
    is_enabled: z.boolean(),
    updated_at: timestamp,
    /** True if an authenticator app is set up. */
    second_factor: z.boolean(),
  }),
  sessions: z.array(z.object({ started_at: timestamp, expires_at: timestamp })),
  verifications: z.array(verification),
  payments: z.array(payment),
  refunds: z.array(refund),
  letters: z.array(letter),
  /**
   * Memberships, invitations, and verifications requested for organisations. Erasing the account does not delete the
   * organisations' own records.
   */
  organisations: z.object({
    memberships: z.array(z.object({ name: z.string(), role: memberRole })),
    invitations: z.array(
      z.object({
        organisation: z.string(),
        role: memberRole,
        state: z.enum(invitationStates),
        created_at: timestamp,
      }),
    ),
    requests: z.array(
      z.object({
        organisation: z.string(),
        certificate_number: z.string(),
        reference: z.string().nullable(),
        requested_at: timestamp,
      }),
    ),
    api_keys: z
      .array(
        z.object({
          organisation: z.string(),
          name: z.string(),
          mode: z.enum(keyModes),
          last4: z.string(),
          created_at: timestamp,
        }),
      )
      .describe('API keys that the account created, without their secrets.'),
  }),
  notifications: z.array(notification.omit({ id: true })),
  /** The account's own log entries, without actions of staff on other accounts. */
  activity: z.array(
    z.object({
      activity: z.string(),
      details: z.string(),
      ip_address: z.string().nullable(),
      timestamp,
    }),
  ),
})
export type AccountData = z.infer<typeof accountData>

/** State of an account's erasure. */
export const erasureState = z.object({
  /** When the account will be erased; null if no erasure has been requested. */
  due_at: timestamp.nullable(),
  /** What prevents the erasure: open payments and refunds due. */
  open_payments: z.int(),
  refunds_due: z.int(),
})
export type ErasureState = z.infer<typeof erasureState>

const erasureReply = erasureState.extend({ message: z.string() })

export const ownAccountData = {
  read: route({
    method: 'GET',
    path: '/account/data',
    access: 'user',
    summary: 'All data that the portal holds about the signed-in account.',
    reply: accountData,
  }),
  erasure: route({
    method: 'GET',
    path: '/account/erasure',
    access: 'user',
    summary: 'Whether the account is scheduled for erasure, and what blocks it.',
    reply: erasureState,
  }),
  requestErasure: route({
    method: 'POST',
    path: '/account/erasure',
    access: 'user',
    summary: `Schedule the erasure of the account’s personal data, ${ERASURE_GRACE_DAYS} days from now.`,
    body: ownPassword,
    reply: erasureReply,
    refusals: ['ERASURE_BLOCKED'],
  }),
  cancelErasure: route({
    method: 'DELETE',
    path: '/account/erasure',
    access: 'user',
    summary: 'Cancel the erasure of the account.',
    reply: message,
  }),
}

export const adminAccountData = {
  read: route({
    method: 'GET',
    path: '/admin/users/{id}/data',
    access: 'super_admin',
    summary: 'All data that the portal holds about an account, for a data request by its owner.',
    params: idParam,
    reply: accountData,
  }),
  erasure: route({
    method: 'GET',
    path: '/admin/users/{id}/erasure',
    access: 'super_admin',
    summary: 'Whether an account is scheduled for erasure, and what blocks it.',
    params: idParam,
    reply: erasureState,
  }),
  requestErasure: route({
    method: 'POST',
    path: '/admin/users/{id}/erasure',
    access: 'super_admin',
    summary:
      "Schedule an account's erasure on its owner's request; the owner is notified by email and can cancel it.",
    params: idParam,
    body: ownPassword,
    reply: erasureReply,
    refusals: ['ERASURE_BLOCKED'],
  }),
  cancelErasure: route({
    method: 'DELETE',
    path: '/admin/users/{id}/erasure',
    access: 'super_admin',
    summary: 'Cancel the erasure of an account.',
    params: idParam,
    reply: message,
  }),
}
