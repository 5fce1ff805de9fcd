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

/** Returns a call in which an organisation, by default one with a balance, verifies a certificate number. */
const verificationCall =
  (getNumber: (world: World) => Promise<string>, makeOrganisation = newFundedOrganisation): MakeCall =>
  async world => {
    const { owner, id } = await makeOrganisation(world)
    const body = { certificate_number: await getNumber(world) }
    return { token: owner.token, path: `/organisations/${id}/verifications`, body }
  }

const createKnownNumber = async (world: World) => (await world.certificate()).certificate_number

const withVerification =
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
      'a certificate that the organisation has already paid for': async world => {
        const { owner, id, number } = await createVerification(world)
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
      'as a CSV file': async world => {
        const { owner, id } = await createVerification(world)
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

async function prepareBatch(world: World, overrides: object = {}) {
  const organisation = await newFundedOrganisation(world)
  const certificate_numbers = [await createKnownNumber(world), 'UG/2018/NOWHERE', '??']
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
  async world => {
    const { request, path } = await prepareBatch(world, overrides)
    const { batch: started } = await world.callOk('POST', path, request)
    const batchPath = `${path}/${started.id}`
    await eventually(async () => {
      const { batch: now } = await world.callOk('GET', batchPath, { token: request.token })
      return now.status === 'completed' ? now : undefined
    }, 'the end of the batch')
    return { token: request.token, path: suffix === 'list' ? path : `${batchPath}${suffix}`, headers }
  }

export const organisationBatchCases: CasesOf<typeof organisationBatches> = {
  create: {
    succeeds: async world => {
      const { request, path } = await prepareBatch(world)
      return { ...request, path }
    },
    refuses: {
      'without a balance': async world => {
        const { owner, id } = await sharedOrganisation(world)
        const body = { certificate_numbers: [await createKnownNumber(world)] }
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
  (suffix: 'list' | 'details'): MakeCall =>
  async world => {
    const { owner, id } = await newOrganisation(world)
    const path = `/organisations/${id}/topups`
    const started = await world.callOk('POST', path, { token: owner.token, body: { amount: 25_000 } })
    const topupPath = `${path}/${started.transaction_id}`
    await world.system.endPayment(started, 'pay')
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
      'as a CSV file': async world => {
        const { owner, id } = await newFundedOrganisation(world)
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
