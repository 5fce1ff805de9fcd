import { Fault } from '../fault.ts'
import type { Call } from '../http/serve.ts'
import { requireActive } from '../membership/member-or-fail.ts'
import type { Caller } from '../organisations/caller.ts'
import type { KeyPrincipal } from '../principal.ts'
import { organisationOf } from './organisation.ts'

/** Returns how the activity log names a key. */
const describeKey = ({ name, last4 }: KeyPrincipal) => `API key ${name} (…${last4})`

/** Creates the caller for an API key. Writing requires an active organisation; with a live key, also a vetted one. */
export const createKeyCaller = ({
  key,
  address,
  requestId,
}: Pick<Call, 'address' | 'requestId'> & { key: KeyPrincipal }): Caller => ({
  organisationId: key.organisationId,
  async admit(db) {
    const organisation = await organisationOf(db, key)
    requireActive(organisation)
    if (key.mode === 'live' && organisation.vettedAt === null) throw new Fault('ORGANISATION_NOT_VETTED')
    return organisation
  },
  requester: { userId: null, email: describeKey(key), address, requestId },
  source: 'api',
})
