import type { Reader } from '../db/database.ts'
import type { Call } from '../http/serve.ts'
import type { Activity } from '../logs/store.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import type { OrganisationRow } from '../membership/store.ts'
import type { Requester } from '../payments/charge.ts'
import type { Principal } from '../principal.ts'

/** Who makes a request in an organisation: a member, or an API key. */
export interface Caller {
  organisationId: string
  /** Returns the organisation, if the caller may currently change its data. @throws Fault otherwise */
  admit(db: Reader): Promise<OrganisationRow>
  requester: Requester
  source: 'portal' | 'api'
}

/** Creates the caller for a member, who must be allowed to verify. */
export const createMemberCaller = (
  call: Pick<Call, 'address' | 'requestId'> & { user: Principal; params: { id: string } },
): Caller => ({
  organisationId: call.params.id,
  admit: async db =>
    (await memberOrFail(db, call.user, call.params.id, 'verify', { change: true })).organisation,
  requester: {
    userId: call.user.id,
    email: call.user.email,
    address: call.address,
    requestId: call.requestId,
  },
  source: 'portal',
})

/** Returns an entry of the activity log, completed with the organisation and the requester. */
export const toLogEntry = (
  { organisationId, requester }: Caller,
  entry: { activity: string; details: string; at: number },
): Activity => ({
  userId: requester.userId,
  userEmail: requester.email,
  ipAddress: requester.address,
  requestId: requester.requestId,
  organisationId,
  ...entry,
})
