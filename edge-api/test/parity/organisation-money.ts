import type { organisationBatches } from '@portal/contract/organisation-batches'
import type { organisationBilling } from '@portal/contract/organisation-billing'
import type { organisationVerifications } from '@portal/contract/organisation-verifications'
import { eventually } from '../portal.ts'
import type { CasesOf, MakeCall } from './cases.ts'
import type { ParityFixture } from './fixture.ts'
import {
  createVerification,
  newFundedOrganisation,
  newOrganisation,
  organisationCall,
  sharedOrganisation,
  type TestOrganisation,
} from './organisation-fixture.ts'

/** Returns the current month in Nigeria, which is an hour ahead of UTC. */
const getCurrentMonth = () => new Date(Date.now() + 3_600_000).toISOString().slice(0, 7)

/** Returns a call in which an organisation, by default one with a balance, verifies a certificate number. */
const verificationCall =
  (
    getNumber: (fixture: ParityFixture) => Promise<string>,
    makeOrganisation = newFundedOrganisation,
  ): MakeCall =>
  async fixture => {
    const { owner, id } = await makeOrganisation(fixture)
    const body = { certificate_number: await getNumber(fixture) }
    return { token: owner.token, path: `/organisations/${id}/verifications`, body }
  }

const createKnownNumber = async (fixture: ParityFixture) => (await fixture.certificate()).certificate_number

const withVerification =
  (path: (found: Awaited<ReturnType<typeof createVerification>>) => string): MakeCall =>
  async fixture => {
    const found = await createVerification(fixture)
    return { token: found.owner.token, path: `/organisations/${found.id}${path(found)}` }
  }

export const organisationVerificationCases: CasesOf<typeof organisationVerifications> = {
  create: {
    succeeds: verificationCall(createKnownNumber),
    also: {
      'an unknown number': verificationCall(async () => 'UG/2018/NOWHERE'),
      'a certificate that the organisation has already paid for': async fixture => {
        const { owner, id, number } = await createVerification(fixture)
        const body = { certificate_number: number }
        return { token: owner.token, path: `/organisations/${id}/verifications`, body }
      },
    },
    refuses: {
      'without a balance': verificationCall(createKnownNumber, sharedOrganisation),
      'without a certificate number': organisationCall('/verifications', {
        body: { certificate_number: '' },
      }),
    },
  },
  list: {
    succeeds: withVerification(
      () => '/verifications?search=hr-7&status=completed&result=verified&source=portal',
    ),
    also: {
      'as a CSV file': async fixture => {
        const { owner, id } = await createVerification(fixture)
        const headers = { accept: 'text/csv' }
        return { token: owner.token, path: `/organisations/${id}/verifications`, headers }
      },
    },
    refuses: { 'a status that does not exist': organisationCall('/verifications?status=odd') },
  },
  read: { succeeds: withVerification(({ verification }) => `/verifications/${verification}`) },
  cancel: {
    // Live verifications do not wait for consent yet.
    succeeds: undefined,
    refuses: {
      'a completed verification': withVerification(
        ({ verification }) => `/verifications/${verification}/cancel`,
      ),
    },
  },
}

async function prepareBatch(fixture: ParityFixture, overrides: object = {}) {
  const organisation = await newFundedOrganisation(fixture)
  const certificate_numbers = [await createKnownNumber(fixture), 'UG/2018/NOWHERE', '??']
  const request = {
    token: organisation.owner.token,
    body: { certificate_numbers, name: 'Spring intake', ...overrides },
  }
  return { ...organisation, request, path: `/organisations/${organisation.id}/batches` }
}

/** Returns a call about a completed batch. */
const withBatch =
  (
    suffix: string,
    { headers = {}, overrides = {} }: { headers?: Record<string, string>; overrides?: object } = {},
  ): MakeCall =>
  async fixture => {
    const { request, path } = await prepareBatch(fixture, overrides)
    const { batch: created } = await fixture.callOk('POST', path, request)
    const batchPath = `${path}/${created.id}`
    await eventually(async () => {
      const { batch: current } = await fixture.callOk('GET', batchPath, { token: request.token })
      return current.status === 'completed' ? current : undefined
    }, 'the end of the batch')
    return { token: request.token, path: suffix === 'list' ? path : `${batchPath}${suffix}`, headers }
  }

export const organisationBatchCases: CasesOf<typeof organisationBatches> = {
  create: {
    succeeds: async fixture => {
      const { request, path } = await prepareBatch(fixture)
      return { ...request, path }
    },
    refuses: {
      'without a balance': async fixture => {
        const { owner, id } = await sharedOrganisation(fixture)
        const body = { certificate_numbers: [await createKnownNumber(fixture)] }
        return { token: owner.token, path: `/organisations/${id}/batches`, body }
      },
      'without certificate numbers': organisationCall('/batches', { body: { certificate_numbers: [] } }),
    },
  },
  list: { succeeds: withBatch('list') },
  read: { succeeds: withBatch('') },
  // A running batch may end at any time, so balance.test.ts tests its cancellation.
  cancel: { succeeds: undefined, refuses: { 'a completed batch': withBatch('/cancel') } },
  items: {
    succeeds: withBatch('/items'),
    also: {
      'the invalid items': withBatch('/items?status=invalid'),
      'as a CSV file': withBatch('/items', { headers: { accept: 'text/csv' } }),
    },
  },
  letters: {
    succeeds: withBatch('/letters.zip'),
    refuses: {
      'a batch without letters': withBatch('/letters.zip', {
        overrides: { certificate_numbers: ['UG/2018/NOWHERE'] },
      }),
    },
  },
}

const BANK_DETAILS = ['Example Bank', 'University Registry', '0123456789']

/** Creates an organisation that can be invoiced, after giving the institution bank details. */
async function createInvoiceableOrganisation(fixture: ParityFixture): Promise<TestOrganisation> {
  const token = await fixture.superAdmin()
  const {
    updated_at: _,
    version: __,
    logo: ___,
    ...profile
  } = await fixture.callOk('GET', '/admin/settings/institution', { token })
  await fixture.callOk('PUT', '/admin/settings/institution', {
    token,
    body: { ...profile, bank_details: BANK_DETAILS },
  })
  return await newOrganisation(fixture)
}

const withInvoice =
  (suffix: string): MakeCall =>
  async fixture => {
    const { owner, id } = await createInvoiceableOrganisation(fixture)
    const path = `/organisations/${id}/invoices`
    const { invoice } = await fixture.callOk('POST', path, { token: owner.token, body: { amount: 50_000 } })
    return { token: owner.token, path: suffix === 'list' ? path : `${path}/${invoice.id}${suffix}` }
  }

const withTopup =
  (suffix: 'list' | 'details'): MakeCall =>
  async fixture => {
    const { owner, id } = await newOrganisation(fixture)
    const path = `/organisations/${id}/topups`
    const started = await fixture.callOk('POST', path, { token: owner.token, body: { amount: 25_000 } })
    const topupPath = `${path}/${started.transaction_id}`
    await fixture.system.endPayment(started, 'pay')
    await eventually(async () => {
      const { status } = await fixture.callOk('GET', topupPath, { token: owner.token })
      return status === 'pending' ? undefined : status
    }, 'the end of the top-up')
    return { token: owner.token, path: suffix === 'list' ? path : topupPath }
  }

export const organisationBillingCases: CasesOf<typeof organisationBilling> = {
  balance: { succeeds: organisationCall('/balance') },
  setAlert: {
    succeeds: organisationCall('/balance', { body: { low_balance_alert: 5000 } }, newOrganisation),
    also: {
      'without a threshold': organisationCall(
        '/balance',
        { body: { low_balance_alert: null } },
        newOrganisation,
      ),
    },
    refuses: { 'a negative threshold': organisationCall('/balance', { body: { low_balance_alert: -1 } }) },
  },
  movements: { succeeds: organisationCall('/movements', {}, newFundedOrganisation) },
  startTopup: {
    succeeds: organisationCall('/topups', { body: { amount: 25_000 } }, newOrganisation),
    ignoredFields: ['payment_data', 'payment_url'],
    refuses: {
      'less than the minimum': organisationCall('/topups', { body: { amount: 999.99 } }),
      'an amount with three decimals': organisationCall('/topups', { body: { amount: 1000.001 } }),
      'text instead of an amount': organisationCall('/topups', { body: { amount: 'much' } }),
    },
  },
  topups: { succeeds: withTopup('list') },
  topup: { succeeds: withTopup('details') },
  invoices: { succeeds: withInvoice('list') },
  createInvoice: {
    succeeds: async fixture => {
      const { owner, id } = await createInvoiceableOrganisation(fixture)
      return { token: owner.token, path: `/organisations/${id}/invoices`, body: { amount: 50_000 } }
    },
  },
  cancelInvoice: { succeeds: withInvoice('/cancel') },
  invoicePdf: { succeeds: withInvoice('.pdf'), ignoredFields: ['answered', ''] },
  statements: { succeeds: organisationCall('/statements', {}, newFundedOrganisation) },
  statementPdf: {
    succeeds: async fixture => {
      const { owner, id } = await newFundedOrganisation(fixture)
      return { token: owner.token, path: `/organisations/${id}/statements/${getCurrentMonth()}.pdf` }
    },
    ignoredFields: ['answered', ''],
  },
  statement: {
    succeeds: async fixture => {
      const { owner, id } = await newFundedOrganisation(fixture)
      return { token: owner.token, path: `/organisations/${id}/statements/${getCurrentMonth()}` }
    },
    also: {
      'as a CSV file': async fixture => {
        const { owner, id } = await newFundedOrganisation(fixture)
        const headers = { accept: 'text/csv' }
        return { token: owner.token, path: `/organisations/${id}/statements/${getCurrentMonth()}`, headers }
      },
    },
    refuses: {
      'a month in the future': organisationCall('/statements/2999-01'),
      'an invalid month': organisationCall('/statements/May'),
    },
  },
}
