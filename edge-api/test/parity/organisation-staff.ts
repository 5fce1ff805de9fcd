import type { adminOrganisations } from '@portal/contract/admin-organisations'
import { type CasesOf, callBy, type MakeCall } from './cases.ts'
import type { ParityFixture } from './fixture.ts'
import {
  createVerification,
  DEMO_PASSWORD,
  fund,
  newFundedOrganisation,
  newOrganisation,
  type TestOrganisation,
} from './organisation-fixture.ts'

const PATH = '/admin/organisations'

type StaffRole = 'admin' | 'superAdmin'

/** Returns a call by staff about a new organisation. */
const withOrganisation =
  <T extends TestOrganisation>(
    role: StaffRole,
    suffix: string | ((organisation: T) => string),
    body?: unknown,
    makeOrganisation: (fixture: ParityFixture) => Promise<T> = newOrganisation as (
      fixture: ParityFixture,
    ) => Promise<T>,
  ): MakeCall =>
  async fixture => {
    const organisation = await makeOrganisation(fixture)
    const path = `${PATH}/${organisation.id}${typeof suffix === 'string' ? suffix : suffix(organisation)}`
    return { token: await fixture[role](), path, ...(body !== undefined && { body }) }
  }

/** Returns a call by staff about a new organisation, after another call about it. */
const callAfter =
  (role: StaffRole, firstSuffix: string, suffix: string, firstBody: unknown = {}, body?: unknown): MakeCall =>
  async fixture => {
    const { id } = await newOrganisation(fixture)
    await fixture.callOk('POST', `${PATH}/${id}${firstSuffix}`, {
      token: await fixture.superAdmin(),
      body: firstBody,
    })
    return {
      token: await fixture[role](),
      path: `${PATH}/${id}${suffix}`,
      ...(body !== undefined && { body }),
    }
  }

const makeTransfer = (overrides: object = {}) => ({
  amount: 75_000,
  bank_reference: `FT ${crypto.randomUUID()}`,
  received_on: '2026-01-15',
  ...overrides,
})

const password = { current_password: DEMO_PASSWORD }

async function createCreditedOrganisation(fixture: ParityFixture) {
  const organisation = await newOrganisation(fixture)
  return { ...organisation, ...(await fund(fixture, organisation)) }
}

export const adminOrganisationCases: CasesOf<typeof adminOrganisations> = {
  list: {
    succeeds: async fixture => {
      const { id } = await newOrganisation(fixture)
      return { token: await fixture.admin(), path: `${PATH}?search=${id}&state=active&vetted=false` }
    },
    also: {
      'without a match': callBy('admin', { path: `${PATH}?search=nothing-such` }),
      'as a CSV file': async fixture => {
        const { id } = await newOrganisation(fixture)
        const headers = { accept: 'text/csv' }
        return { token: await fixture.admin(), path: `${PATH}?search=${id}`, headers }
      },
    },
    refuses: { 'a state that does not exist': callBy('admin', { path: `${PATH}?state=odd` }) },
  },
  read: { succeeds: withOrganisation('admin', '', undefined, createVerification) },
  movements: {
    succeeds: withOrganisation('admin', '/movements', undefined, newFundedOrganisation),
    also: {
      'an organisation that paid for a verification': withOrganisation(
        'admin',
        '/movements',
        undefined,
        createVerification,
      ),
    },
  },
  vet: {
    succeeds: withOrganisation('admin', '/vet'),
    refuses: {
      'a vetted organisation': callAfter('admin', '/vet', '/vet'),
      'an outdated version': async fixture => ({
        ...(await withOrganisation('admin', '/vet')(fixture)),
        headers: { 'if-match': '"7"' },
      }),
    },
  },
  unvet: {
    succeeds: callAfter('admin', '/vet', '/unvet'),
    refuses: { 'an organisation that is not vetted': withOrganisation('admin', '/unvet') },
  },
  suspend: {
    succeeds: withOrganisation('admin', '/suspend', { reason: 'Documents are missing' }),
    refuses: {
      'without a reason': withOrganisation('admin', '/suspend', { reason: '' }),
      'a suspended organisation': callAfter(
        'admin',
        '/suspend',
        '/suspend',
        { reason: 'Once' },
        { reason: 'Twice' },
      ),
    },
  },
  resume: {
    succeeds: callAfter('admin', '/suspend', '/resume', { reason: 'Documents are missing' }),
    refuses: { 'an active organisation': withOrganisation('admin', '/resume') },
  },
  credit: {
    succeeds: withOrganisation('superAdmin', '/credits', makeTransfer()),
    refuses: {
      'a bank reference that differs only in case and spaces': async fixture => {
        const { id, reference } = await createCreditedOrganisation(fixture)
        const body = makeTransfer({ bank_reference: reference.toLowerCase().replaceAll(' ', '') })
        return { token: await fixture.superAdmin(), path: `${PATH}/${id}/credits`, body }
      },
      'an invoice that does not exist': withOrganisation(
        'superAdmin',
        '/credits',
        makeTransfer({ invoice: 'INV-2020-000001' }),
      ),
      'an invalid date': withOrganisation(
        'superAdmin',
        '/credits',
        makeTransfer({ received_on: 'yesterday' }),
      ),
    },
  },
  reverseCredit: {
    succeeds: withOrganisation<Awaited<ReturnType<typeof createCreditedOrganisation>>>(
      'superAdmin',
      ({ transaction_id }) => `/credits/${transaction_id}/reverse`,
      { note: 'Wrong account', ...password },
      createCreditedOrganisation,
    ),
    refuses: {
      'with a wrong password': withOrganisation<Awaited<ReturnType<typeof createCreditedOrganisation>>>(
        'superAdmin',
        ({ transaction_id }) => `/credits/${transaction_id}/reverse`,
        { note: 'Wrong account', current_password: 'Wrong12345!' },
        createCreditedOrganisation,
      ),
    },
  },
  payOut: {
    succeeds: withOrganisation(
      'superAdmin',
      '/payouts',
      { amount: 1000, bank_reference: 'OUT 1', note: 'On request', ...password },
      newFundedOrganisation,
    ),
    refuses: {
      'more than the balance': withOrganisation('superAdmin', '/payouts', {
        amount: 1000,
        bank_reference: 'OUT 2',
        note: 'On request',
        ...password,
      }),
    },
  },
  refund: {
    succeeds: withOrganisation<Awaited<ReturnType<typeof createVerification>>>(
      'superAdmin',
      ({ verification }) => `/verifications/${verification}/refund`,
      { note: 'Wrong certificate' },
      createVerification,
    ),
  },
  appointOwner: {
    succeeds: async fixture => {
      const { id } = await newOrganisation(fixture)
      const { id: user_id } = await fixture.account()
      return { token: await fixture.superAdmin(), path: `${PATH}/${id}/owner`, body: { user_id } }
    },
    refuses: {
      'an account that does not exist': withOrganisation('superAdmin', '/owner', { user_id: 'nobody' }),
    },
  },
  close: {
    succeeds: withOrganisation('superAdmin', '/close'),
    refuses: {
      'an organisation with a balance': withOrganisation(
        'superAdmin',
        '/close',
        undefined,
        newFundedOrganisation,
      ),
    },
  },
  reopen: {
    succeeds: callAfter('superAdmin', '/close', '/reopen'),
    refuses: { 'an organisation that is not closed': withOrganisation('superAdmin', '/reopen') },
  },
}
