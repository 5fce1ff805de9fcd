import type { organisationBatches } from '@portal/contract/organisation-batches'
import type { organisationBilling } from '@portal/contract/organisation-billing'
import type { organisationVerifications } from '@portal/contract/organisation-verifications'
import { eventually } from '../portal.ts'
import type { CasesOf, MakeCall } from './cases.ts'
import {
  createVerification,
  newFundedOrganisation,
  newOrganisation,
  organisationCall,
  sharedOrganisation,
  type TestOrganisation,
} from './organisation-world.ts'
import type { World } from './world.ts'

const getCurrentMonth = () => new Date(Date.now() + 3_600_000).toISOString().slice(0, 7)

/** Returns a call in which an organisation with a balance verifies a number. */
const verificationCall =
  (number: (world: World) => Promise<string>, make = newFundedOrganisation): MakeCall =>
  async world => {
    const { owner, id } = await make(world)
    const body = { certificate_number: await number(world) }
    return { token: owner.token, path: `/organisations/${id}/verifications`, body }
  }

const createKnownNumber = async (world: World) => (await world.certificate()).certificate_number

const withOrganisation =
  (path: (found: Awaited<ReturnType<typeof createVerification>>) => string): MakeCall =>
  async world => {
    const found = await createVerification(world)
    return { token: found.owner.token, path: `/organisations/${found.id}${path(found)}` }
  }

export const organisationVerificationCases: CasesOf<typeof organisationVerifications> = {
  create: {
    succeeds: verificationCall(createKnownNumber),
    also: {
      'an unknown number': verificationCall(async () => 'UG/2018/NOWHERE'),
      'one that is paid for': async world => {
        const { owner, id, number } = await createVerification(world)
        const body = { certificate_number: number }
        return { token: owner.token, path: `/organisations/${id}/verifications`, body }
      },
    },
    refuses: {
      'without a balance': verificationCall(createKnownNumber, sharedOrganisation),
      'without a number': organisationCall('/verifications', { body: { certificate_number: '' } }),
    },
  },
  list: {
    succeeds: withOrganisation(
      () => '/verifications?search=hr-7&status=completed&result=verified&source=portal',
    ),
    also: {
      'as a file': async world => {
        const { owner, id } = await createVerification(world)
        const headers = { accept: 'text/csv' }
        return { token: owner.token, path: `/organisations/${id}/verifications`, headers }
      },
    },
    refuses: { 'a status that does not exist': organisationCall('/verifications?status=odd') },
  },
  read: { succeeds: withOrganisation(({ verification }) => `/verifications/${verification}`) },
  cancel: {
    // Live verifications do not wait for consent yet.
    succeeds: undefined,
    refuses: {
      'one that is complete': withOrganisation(({ verification }) => `/verifications/${verification}/cancel`),
    },
  },
}

async function prepareBatch(world: World, overrides: object = {}) {
  const organisation = await newFundedOrganisation(world)
  const certificate_numbers = [await createKnownNumber(world), 'UG/2018/NOWHERE', '??']
  const request = {
    token: organisation.owner.token,
    body: { certificate_numbers, name: 'Spring intake', ...overrides },
  }
  return { ...organisation, sent: request, path: `/organisations/${organisation.id}/batches` }
}

/** Returns a call about a batch that has ended. */
const withBatch =
  (suffix: string, headers: Record<string, string> = {}): MakeCall =>
  async world => {
    const { sent, path } = await prepareBatch(world)
    const { batch: started } = await world.callOk('POST', path, sent)
    const batchPath = `${path}/${started.id}`
    await eventually(async () => {
      const { batch: now } = await world.callOk('GET', batchPath, { token: sent.token })
      return now.status === 'completed' ? now : undefined
    }, 'the end of the batch')
    return { token: sent.token, path: suffix === 'list' ? path : `${batchPath}${suffix}`, headers }
  }

export const organisationBatchCases: CasesOf<typeof organisationBatches> = {
  create: {
    succeeds: async world => {
      const { sent, path } = await prepareBatch(world)
      return { ...sent, path }
    },
    refuses: {
      'without a balance': async world => {
        const { owner, id } = await sharedOrganisation(world)
        const body = { certificate_numbers: [await createKnownNumber(world)] }
        return { token: owner.token, path: `/organisations/${id}/batches`, body }
      },
      'without numbers': organisationCall('/batches', { body: { certificate_numbers: [] } }),
    },
  },
  list: { succeeds: withBatch('list') },
  read: { succeeds: withBatch('') },
  // A running batch may end at any time, so balance.test.ts tests the cancellation of one.
  cancel: { succeeds: undefined, refuses: { 'one that is complete': withBatch('/cancel') } },
  items: {
    succeeds: withBatch('/items'),
    also: {
      'some of them': withBatch('/items?status=invalid'),
      'as a file': withBatch('/items', { accept: 'text/csv' }),
    },
  },
}

const BANK_DETAILS = ['Example Bank', 'University Registry', '0123456789']

/** Creates an organisation that can be invoiced, after giving the institution bank details. */
async function createInvoiceableOrganisation(world: World): Promise<TestOrganisation> {
  const token = await world.superAdmin()
  const {
    updated_at: _,
    version: __,
    logo: ___,
    ...profile
  } = await world.callOk('GET', '/admin/settings/institution', { token })
  await world.callOk('PUT', '/admin/settings/institution', {
    token,
    body: { ...profile, bank_details: BANK_DETAILS },
  })
  return await newOrganisation(world)
}

const withInvoice =
  (suffix: string): MakeCall =>
  async world => {
    const { owner, id } = await createInvoiceableOrganisation(world)
    const path = `/organisations/${id}/invoices`
    const { invoice } = await world.callOk('POST', path, { token: owner.token, body: { amount: 50_000 } })
    return { token: owner.token, path: suffix === 'list' ? path : `${path}/${invoice.id}${suffix}` }
  }

const withTopup =
  (suffix: 'list' | 'one'): MakeCall =>
  async world => {
    const { owner, id } = await newOrganisation(world)
    const path = `/organisations/${id}/topups`
    const started = await world.callOk('POST', path, { token: owner.token, body: { amount: 25_000 } })
    const topupPath = `${path}/${started.transaction_id}`
    await world.place.endPayment(started, 'pay')
    await eventually(async () => {
      const { status } = await world.callOk('GET', topupPath, { token: owner.token })
      return status === 'pending' ? undefined : status
    }, 'the end of the top-up')
    return { token: owner.token, path: suffix === 'list' ? path : topupPath }
  }

export const organisationBillingCases: CasesOf<typeof organisationBilling> = {
  balance: { succeeds: organisationCall('/balance') },
  setAlert: {
    succeeds: organisationCall('/balance', { body: { low_balance_alert: 5000 } }, newOrganisation),
    also: { off: organisationCall('/balance', { body: { low_balance_alert: null } }, newOrganisation) },
    refuses: { 'below 0': organisationCall('/balance', { body: { low_balance_alert: -1 } }) },
  },
  movements: { succeeds: organisationCall('/movements', {}, newFundedOrganisation) },
  startTopup: {
    succeeds: organisationCall('/topups', { body: { amount: 25_000 } }, newOrganisation),
    ignoredFields: ['payment_data', 'payment_url'],
    refuses: {
      'too little': organisationCall('/topups', { body: { amount: 999.99 } }),
      'three decimals': organisationCall('/topups', { body: { amount: 1000.001 } }),
      'no amount': organisationCall('/topups', { body: { amount: 'much' } }),
    },
  },
  topups: { succeeds: withTopup('list') },
  topup: { succeeds: withTopup('one') },
  invoices: { succeeds: withInvoice('list') },
  createInvoice: {
    succeeds: async world => {
      const { owner, id } = await createInvoiceableOrganisation(world)
      return { token: owner.token, path: `/organisations/${id}/invoices`, body: { amount: 50_000 } }
    },
  },
  cancelInvoice: { succeeds: withInvoice('/cancel') },
  invoicePdf: { succeeds: withInvoice('.pdf'), ignoredFields: ['answered', ''] },
  statements: { succeeds: organisationCall('/statements', {}, newFundedOrganisation) },
  statementPdf: {
    succeeds: async world => {
      const { owner, id } = await newFundedOrganisation(world)
      return { token: owner.token, path: `/organisations/${id}/statements/${getCurrentMonth()}.pdf` }
    },
    ignoredFields: ['answered', ''],
  },
  statement: {
    succeeds: async world => {
      const { owner, id } = await newFundedOrganisation(world)
      return { token: owner.token, path: `/organisations/${id}/statements/${getCurrentMonth()}` }
    },
    also: {
      'as a file': async world => {
        const { owner, id } = await newFundedOrganisation(world)
        const headers = { accept: 'text/csv' }
        return { token: owner.token, path: `/organisations/${id}/statements/${getCurrentMonth()}`, headers }
      },
    },
    refuses: {
      'a month to come': organisationCall('/statements/2999-01'),
      'no month': organisationCall('/statements/May'),
    },
  },
}
