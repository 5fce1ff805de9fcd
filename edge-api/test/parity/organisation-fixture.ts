import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import type { Account } from '../portal.ts'
import type { MakeCall } from './cases.ts'
import type { ParityFixture, RequestOptions } from './fixture.ts'

/*
 * Creates organisations for cases that compare the mocks with the API. An account can own at most three organisations, so each
 * case that changes an organisation creates a new owner.
 */

export const makeProfile = (overrides: object = {}) => ({
  name: 'Parity Staffing Limited',
  address: { line1: '7 Marina', city: 'Lagos', state: 'Lagos', country: 'Nigeria' },
  contact_email: 'hr@parity-staffing.test',
  phone: '+2348105550199',
  ...overrides,
})

export interface TestOrganisation {
  owner: Account
  id: string
}

export async function newOrganisation(fixture: ParityFixture, owner?: Account): Promise<TestOrganisation> {
  const organisationOwner = owner ?? (await fixture.account())
  const { organisation } = await fixture.callOk('POST', '/organisations', {
    token: organisationOwner.token,
    body: makeProfile(),
  })
  return { owner: organisationOwner, id: organisation.id }
}

const sharedOrganisations = new WeakMap<ParityFixture, Promise<TestOrganisation>>()

/** Returns an organisation that all cases share, so they must not change it. */
export function sharedOrganisation(fixture: ParityFixture): Promise<TestOrganisation> {
  const cachedOrganisation = sharedOrganisations.get(fixture) ?? newOrganisation(fixture)
  sharedOrganisations.set(fixture, cachedOrganisation)
  return cachedOrganisation
}

/** Creates an account that joins an organisation through an invitation, with a role. */
export async function addMember(
  fixture: ParityFixture,
  { owner, id }: TestOrganisation,
  role: string,
): Promise<Account> {
  const member = await fixture.account()
  await fixture.callOk('POST', `/organisations/${id}/invitations`, {
    token: owner.token,
    body: { email: member.email, role },
  })
  const token = await fixture.waitForMailedToken('invitations', member.email)
  await fixture.callOk('POST', `/invitations/${token}/accept`, { token: member.token })
  return member
}

/** Returns a call made by the owner of the shared organisation, or of the one that `makeOrganisation` creates. */
export const organisationCall =
  (
    suffix: string,
    options: RequestOptions | ((organisation: TestOrganisation) => RequestOptions) = {},
    makeOrganisation = sharedOrganisation,
  ): MakeCall =>
  async fixture => {
    const organisation = await makeOrganisation(fixture)
    const requestOptions = typeof options === 'function' ? options(organisation) : options
    return {
      token: organisation.owner.token,
      path: `/organisations/${organisation.id}${suffix}`,
      ...requestOptions,
    }
  }

/** Credits a bank transfer to an organisation. */
export async function fund(
  fixture: ParityFixture,
  { id }: TestOrganisation,
  amount = 100_000,
): Promise<{ transaction_id: string; reference: string }> {
  const reference = `FT ${crypto.randomUUID()}`
  const { movement } = await fixture.callOk('POST', `/admin/organisations/${id}/credits`, {
    token: await fixture.superAdmin(),
    body: { amount, bank_reference: reference, received_on: '2026-01-15' },
  })
  return { transaction_id: String(movement.transaction_id), reference }
}

/** Creates an organisation with a balance. */
export async function newFundedOrganisation(fixture: ParityFixture): Promise<TestOrganisation> {
  const organisation = await newOrganisation(fixture)
  await fund(fixture, organisation)
  return organisation
}

/** Creates a verification of a new certificate, paid by this organisation or by a new one with a balance. */
export async function createVerification(fixture: ParityFixture, organisation?: TestOrganisation) {
  const payer = organisation ?? (await newFundedOrganisation(fixture))
  const { certificate_number } = await fixture.certificate()
  const { verification } = await fixture.callOk('POST', `/organisations/${payer.id}/verifications`, {
    token: payer.owner.token,
    body: { certificate_number, reference: 'HR-7' },
  })
  return { ...payer, number: certificate_number, verification: String(verification.id) }
}

export { DEMO_PASSWORD }
