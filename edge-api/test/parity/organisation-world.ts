import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import type { Account } from '../portal.ts'
import type { MakeCall } from './cases.ts'
import type { RequestOptions, World } from './world.ts'

/*
 * Creates organisations for cases that compare the mocks with the API. An account can own at most three organisations, so each
 * case that changes an organisation has a separate owner.
 */

export const profile = (overrides: object = {}) => ({
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

export async function newOrganisation(world: World, owner?: Account): Promise<TestOrganisation> {
  const organisationOwner = owner ?? (await world.account())
  const { organisation } = await world.callOk('POST', '/organisations', {
    token: organisationOwner.token,
    body: profile(),
  })
  return { owner: organisationOwner, id: organisation.id }
}

const shared = new WeakMap<World, Promise<TestOrganisation>>()

/** Returns an organisation that all cases share, so they must not change it. */
export function sharedOrganisation(world: World): Promise<TestOrganisation> {
  const cachedOrganisation = shared.get(world) ?? newOrganisation(world)
  shared.set(world, cachedOrganisation)
  return cachedOrganisation
}

/** Creates an account that joins an organisation through an invitation, with a role. */
export async function join(world: World, { owner, id }: TestOrganisation, role: string): Promise<Account> {
  const member = await world.account()
  await world.callOk('POST', `/organisations/${id}/invitations`, {
    token: owner.token,
    body: { email: member.email, role },
  })
  const token = await world.mailedToken('invitations', member.email)
  await world.callOk('POST', `/invitations/${token}/accept`, { token: member.token })
  return member
}

/** Returns a call by the owner of an organisation: by default the shared one, otherwise that which `makeOrganisation` creates. */
export const organisationCall =
  (
    suffix: string,
    options: RequestOptions | ((organisation: TestOrganisation) => RequestOptions) = {},
    makeOrganisation = sharedOrganisation,
  ): MakeCall =>
  async world => {
    const organisation = await makeOrganisation(world)
    const requestOptions = typeof options === 'function' ? options(organisation) : options
    return {
      token: organisation.owner.token,
      path: `/organisations/${organisation.id}${suffix}`,
      ...requestOptions,
    }
  }

/** Credits a bank transfer to an organisation. */
export async function fund(
  world: World,
  { id }: TestOrganisation,
  amount = 100_000,
): Promise<{ transaction_id: string; reference: string }> {
  const reference = `FT ${crypto.randomUUID()}`
  const { movement } = await world.callOk('POST', `/admin/organisations/${id}/credits`, {
    token: await world.superAdmin(),
    body: { amount, bank_reference: reference, received_on: '2026-01-15' },
  })
  return { transaction_id: String(movement.transaction_id), reference }
}

/** Creates an organisation with a balance. */
export async function newFundedOrganisation(world: World): Promise<TestOrganisation> {
  const organisation = await newOrganisation(world)
  await fund(world, organisation)
  return organisation
}

/** Creates a verification of a new certificate by an organisation with a balance. */
export async function createVerification(world: World, organisation?: TestOrganisation) {
  const payer = organisation ?? (await newFundedOrganisation(world))
  const { certificate_number } = await world.certificate()
  const { verification } = await world.callOk('POST', `/organisations/${payer.id}/verifications`, {
    token: payer.owner.token,
    body: { certificate_number, reference: 'HR-7' },
  })
  return { ...payer, number: certificate_number, verification: String(verification.id) }
}

export { DEMO_PASSWORD }
