import { hashPassword } from '../src/accounts/passwords.ts'
import { updatePasswordHash } from '../src/accounts/store.ts'
import { type Caller, type Reply, STAFF_PASSWORD, type TestPortal } from './organisation-portal.ts'

/* Set-up for tests of API keys, on the whole app with one database. */

/** Gives an account a password, which is required to create `live` keys. */
export async function givePassword({ setup }: TestPortal, { user }: Caller): Promise<void> {
  const passwordHash = await hashPassword(STAFF_PASSWORD, 4)
  await setup.database.write(tx =>
    updatePasswordHash(tx, { id: user.id, passwordHash, now: setup.ports.time }),
  )
}

export const vetOrganisation = ({ callOk, superAdmin }: TestPortal, id: string) =>
  callOk('POST', `/admin/organisations/${id}/vet`, { token: superAdmin.token })

export interface OrganisationWithKeys {
  id: string
  owner: Caller
  /** The secrets of the keys, by mode and access. */
  live: string
  liveRead: string
  test: string
  testRead: string
}

/** Creates a vetted organisation with a key of each mode and access, and a balance in major units. */
export async function createOrganisationWithKeys(
  portal: TestPortal,
  { balance = 0, name }: { balance?: number; name?: string } = {},
) {
  const { id, owner } = await portal.createOrganisation(name)
  await vetOrganisation(portal, id)
  await givePassword(portal, owner)
  if (balance > 0) await portal.fund(id, balance)
  const createKey = async (mode: string, access: string): Promise<string> => {
    const body = { name: `${mode} ${access}`, mode, access, current_password: STAFF_PASSWORD }
    return (await portal.callOk('POST', `/organisations/${id}/keys`, { token: owner.token, body })).secret
  }
  const organisation: OrganisationWithKeys = {
    id,
    owner,
    live: await createKey('live', 'write'),
    liveRead: await createKey('live', 'read'),
    test: await createKey('test', 'write'),
    testRead: await createKey('test', 'read'),
  }
  return organisation
}

/** Verifies a number with an API key. */
export const verifyWithKey = (
  portal: TestPortal,
  secret: string,
  certificate_number: string,
  headers: Record<string, string> = {},
  fields: object = {},
): Promise<Reply> =>
  portal.call('POST', '/v1/verifications', {
    token: secret,
    body: { certificate_number, ...fields },
    headers,
  })
