import { endpoint } from '@portal/api/endpoint'
import type { organisationBatches } from '@portal/contract/organisation-batches'
import type { organisationBilling } from '@portal/contract/organisation-billing'
import type { organisationVerifications } from '@portal/contract/organisation-verifications'

/* Endpoints of an organisation's verifications, batches and balance, without their schemas. */

type Verifications = typeof organisationVerifications
type Billing = typeof organisationBilling
type Batches = typeof organisationBatches

export const verifications = {
  create: endpoint<Verifications['create']>('POST', '/organisations/{id}/verifications'),
  list: endpoint<Verifications['list']>('GET', '/organisations/{id}/verifications'),
  read: endpoint<Verifications['read']>('GET', '/organisations/{id}/verifications/{ver}'),
}

export const billing = {
  balance: endpoint<Billing['balance']>('GET', '/organisations/{id}/balance'),
  setAlert: endpoint<Billing['setAlert']>('PUT', '/organisations/{id}/balance'),
  movements: endpoint<Billing['movements']>('GET', '/organisations/{id}/movements'),
  startTopup: endpoint<Billing['startTopup']>('POST', '/organisations/{id}/topups'),
  topups: endpoint<Billing['topups']>('GET', '/organisations/{id}/topups'),
  topup: endpoint<Billing['topup']>('GET', '/organisations/{id}/topups/{transaction_id}'),
  invoices: endpoint<Billing['invoices']>('GET', '/organisations/{id}/invoices'),
  createInvoice: endpoint<Billing['createInvoice']>('POST', '/organisations/{id}/invoices'),
  cancelInvoice: endpoint<Billing['cancelInvoice']>('POST', '/organisations/{id}/invoices/{inv}/cancel'),
  invoicePdf: endpoint<Billing['invoicePdf']>('GET', '/organisations/{id}/invoices/{inv}.pdf'),
  statements: endpoint<Billing['statements']>('GET', '/organisations/{id}/statements'),
  statement: endpoint<Billing['statement']>('GET', '/organisations/{id}/statements/{month}'),
  statementPdf: endpoint<Billing['statementPdf']>('GET', '/organisations/{id}/statements/{month}.pdf'),
}

export const batches = {
  create: endpoint<Batches['create']>('POST', '/organisations/{id}/batches'),
  list: endpoint<Batches['list']>('GET', '/organisations/{id}/batches'),
  read: endpoint<Batches['read']>('GET', '/organisations/{id}/batches/{bat}'),
  cancel: endpoint<Batches['cancel']>('POST', '/organisations/{id}/batches/{bat}/cancel'),
  items: endpoint<Batches['items']>('GET', '/organisations/{id}/batches/{bat}/items'),
  letters: endpoint<Batches['letters']>('GET', '/organisations/{id}/batches/{bat}/letters.zip'),
}
