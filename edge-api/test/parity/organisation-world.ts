import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import type { Account } from '../portal.ts'
import type { MakeCall } from './cases.ts'
import type { RequestOptions, World } from './world.ts'

/*
 * Creates organisations for parity cases. An account can own at most three, so each case that changes one has a separate owner.
 */

export const profile = (overrides: object = {}) => ({
  name: 'Parity Staffing Limited',
  address: { line1: '7 Marina', city: 'Lagos', state: 'Lagos', country: 'Nigeria' },
  contact_email: 'hr@parity-staffing.test',
  phone: '+2348105550199',
  ...overrides,
})

export interface Team {
  owner: Account
  id: string
}

export async function newTeam(world: World, owner?: Account): Promise<Team> {
  const by = owner ?? (await world.account())
  const { organisation } = await world.callOk('POST', '/organisations', { token: by.token, body: profile() })
  return { owner: by, id: organisation.id }
}

const shared = new WeakMap<World, Promise<Team>>()

/** Returns an organisation that cases only read. */
export function team(world: World): Promise<Team> {
  const cachedTeam = shared.get(world) ?? newTeam(world)
  shared.set(world, cachedTeam)
  return cachedTeam
}

/** Adds an account with a role through an invitation. */
export async function join(world: World, { owner, id }: Team, role: string): Promise<Account> {
  const person = await world.account()
  await world.callOk('POST', `/organisations/${id}/invitations`, {
    token: owner.token,
    body: { email: person.email, role },
  })
  const token = await world.mailedToken('invitations', person.email)
  await world.callOk('POST', `/invitations/${token}/accept`, { token: person.token })
  return person
}

/** Returns a call by the owner of an organisation that other cases share, or of a new one. */
export const teamCall =
  (suffix: string, sent: RequestOptions | ((created: Team) => RequestOptions) = {}, make = team): MakeCall =>
  async world => {
    const created = await make(world)
    const more = typeof sent === 'function' ? sent(created) : sent
    return { token: created.owner.token, path: `/organisations/${created.id}${suffix}`, ...more }
  }

export const fresh = (world: World) => newTeam(world)

/** Credits a bank transfer to an organisation. */
export async function fund(
  world: World,
  { id }: Team,
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
export async function newFundedTeam(world: World): Promise<Team> {
  const created = await newTeam(world)
  await fund(world, created)
  return created
}

/** Creates a verification of a new certificate by an organisation with a balance. */
export async function createVerification(world: World, created?: Team) {
  const by = created ?? (await newFundedTeam(world))
  const { certificate_number } = await world.certificate()
  const { verification } = await world.callOk('POST', `/organisations/${by.id}/verifications`, {
    token: by.owner.token,
    body: { certificate_number, reference: 'HR-7' },
  })
  return { ...by, number: certificate_number, verification: String(verification.id) }
}

export { DEMO_PASSWORD }
