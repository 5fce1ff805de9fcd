import type { ErrorCode } from '@portal/contract/errors'
import type { Batch, BatchItemStatus } from '@portal/contract/organisation-batches'
import type { Invoice, movementTypes } from '@portal/contract/organisation-billing'
import type { ApiKey } from '@portal/contract/organisation-keys'
import type {
  Invitation,
  MemberRole,
  Organisation,
  OrganisationVerification,
} from '@portal/contract/organisation-shapes'

import type { WebhookDelivery, WebhookEndpoint, WebhookEvent } from '@portal/contract/organisation-webhooks'

/* Organisations in the state of the mocked API, as plain data. Amounts are in minor units. */

export interface MockMember {
  user_id: string
  role: MemberRole
  joined_at: string
}

/** An invitation, with the token of its link, which the API never returns. */
export interface MockInvitation extends Omit<Invitation, 'invited_by'> {
  token: string
  invited_by: string
}

export interface MockActivity {
  id: number
  at: string
  user_id: string | null
  activity: string
  details: string
}

/** A change to an organisation's balance. */
export interface MockMovement {
  id: string
  type: (typeof movementTypes)[number]
  amount_minor: number
  balance_after_minor: number
  at: string
  description: string
  transaction_id: string
}

export interface MockTopup {
  transaction_id: string
  payment_reference: string
  amount_minor: number
  status: 'pending' | 'paid' | 'failed'
  code: ErrorCode | null
  initiated_at: string
  expires_at: string
  ended_at: string | null
}

export interface MockInvoice extends Omit<Invoice, 'amount' | 'currency'> {
  amount_minor: number
}

export interface MockBatchItem {
  certificate_number: string
  status: BatchItemStatus
  message?: string
  verification_id: string | null
}

export interface MockBatch
  extends Pick<Batch, 'id' | 'name' | 'purpose' | 'status' | 'created_at' | 'completed_at'> {
  fee_minor: number
  requested_by: string
  items: MockBatchItem[]
}

/** An API key. After it has been rotated, it works until it expires. */
export interface MockKey extends Omit<ApiKey, 'created_by'> {
  created_by: string
  rotated: boolean
}

/** A bank transfer that staff credited to an organisation. */
export interface MockTransfer {
  transaction_id: string
  amount_minor: number
  reference_key: string
  reversed: boolean
}

/** A webhook endpoint with its secret, which the API shows only once. */
export interface MockEndpoint extends WebhookEndpoint {
  secret: string
}

/** An event, without the fields that are derived from its deliveries. */
export type MockEvent = Omit<WebhookEvent, 'delivered' | 'endpoints'>

/** The data about an organisation's webhooks; each list is newest first. */
export interface MockWebhooks {
  endpoints: MockEndpoint[]
  events: MockEvent[]
  deliveries: WebhookDelivery[]
}

type PublicFields = Pick<
  Organisation,
  | 'id'
  | 'name'
  | 'address'
  | 'contact_email'
  | 'phone'
  | 'registration_number'
  | 'website'
  | 'state'
  | 'state_reason'
  | 'vetted_at'
  | 'created_at'
  | 'version'
>

export interface MockOrganisation extends PublicFields {
  balance_minor: number
  held_minor: number
  debt_minor: number
  low_balance_alert_minor: number | null
  /** Oldest first. */
  members: MockMember[]
  /** Newest first. */
  invitations: MockInvitation[]
  /** Newest first. */
  activity: MockActivity[]
  /** Newest first. */
  verifications: (Omit<OrganisationVerification, 'requested_by'> & { requested_by: string | null })[]
  /** Newest first. */
  movements: MockMovement[]
  /** Newest first. */
  topups: MockTopup[]
  /** Newest first. */
  invoices: MockInvoice[]
  /** Newest first. */
  batches: MockBatch[]
  transfers: MockTransfer[]
  /** Newest first. */
  keys?: MockKey[]
  /** Absent until webhooks are first used, and in a state saved by an older version. */
  webhooks?: MockWebhooks
}
