import { hashPassword } from '../src/accounts/passwords.ts'
import { updatePasswordHash } from '../src/accounts/store.ts'
import { type Caller, type Desk, type Reply, STAFF_PASSWORD } from './organisation-bench.ts'

/* API keys on the whole app with one database. */

/** Gives an account a password, which creating `live` keys requires. */
export async function givePassword({ bench }: Desk, { user }: Caller): Promise<void> {
  const passwordHash = await hashPassword(STAFF_PASSWORD, 4)
  await bench.database.write(tx =>
    updatePasswordHash(tx, { id: user.id, passwordHash, now: bench.ports.time }),
  )
}

export const vet = ({ must, superAdmin }: Desk, id: string) =>
  must('POST', `/admin/organisations/${id}/vet`, { token: superAdmin.token })

export interface TeamWithKeys {
  id: string
  owner: Caller
  /** Secrets. */
  live: string
  liveRead: string
  test: string
  testRead: string
}

/** A vetted organisation with a key of each mode and access, and a balance in major units. */
export async function teamWithKeys(
  desk: Desk,
  { balance = 0, name }: { balance?: number; name?: string } = {},
) {
  const { id, owner } = await desk.organisation(name)
  await vet(desk, id)
  await givePassword(desk, owner)
  if (balance > 0) await desk.fund(id, balance)
  const createKey = async (mode: string, access: string): Promise<string> => {
    const body = { name: `${mode} ${access}`, mode, access, current_password: STAFF_PASSWORD }
    return (await desk.must('POST', `/organisations/${id}/keys`, { token: owner.token, body })).secret
  }
  const team: TeamWithKeys = {
    id,
    owner,
    live: await createKey('live', 'write'),
    liveRead: await createKey('live', 'read'),
    test: await createKey('test', 'write'),
    testRead: await createKey('test', 'read'),
  }
  return team
}

/** Verifies a number with a key. */
export const verifyWith = (
  desk: Desk,
  secret: string,
  certificate_number: string,
  headers: Record<string, string> = {},
  fields: object = {},
): Promise<Reply> =>
  desk.call('POST', '/v1/verifications', { token: secret, body: { certificate_number, ...fields }, headers })
