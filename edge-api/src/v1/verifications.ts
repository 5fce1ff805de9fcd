import { paginate } from '@portal/contract/shapes'
import type { v1Verifications } from '@portal/contract/v1'
import { Fault } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { periodOf } from '../logs/rules.ts'
import { cancelVerification } from '../organisations/cancel-verification.ts'
import { requestVerification } from '../organisations/request-verification.ts'
import { readVerificationReply, toVerification } from '../organisations/verification-replies.ts'
import {
  countVerifications,
  findVerification,
  listVerifications,
} from '../organisations/verification-store.ts'
import { createKeyCaller } from './caller.ts'
import { applyChangesFor } from './test-changes.ts'
import { requestTestVerification } from './test-verification.ts'

type Domain = typeof v1Verifications

/** Finds a verification in the key's mode. @throws Fault `NOT_FOUND` */
async function verificationOrFail({ db, key, params }: Pick<Call<Domain['read']>, 'db' | 'key' | 'params'>) {
  const found = await findVerification(db.read, { organisationId: key.organisationId, id: params.ver })
  if (!found || found.verification.livemode !== (key.mode === 'live'))
    throw new Fault('NOT_FOUND', { message: 'There is no such verification.' })
  return found
}

export const v1VerificationHandlers: HandlersOf<Domain> = {
  create: async call => {
    const caller = createKeyCaller(call)
    return call.key.mode === 'test'
      ? { ...(await requestTestVerification(call, caller)), livemode: false }
      : { ...(await requestVerification(call, caller)), livemode: true }
  },
  list: async call => {
    const { db, key, query } = call
    await applyChangesFor(call)
    const livemode = key.mode === 'live'
    const { search, status, result, source, page, per_page: limit } = query
    const filter = {
      organisationId: key.organisationId,
      search,
      status,
      result,
      source,
      requestedBy: undefined,
      livemode,
      ...periodOf(query),
    }
    const rows = await listVerifications(db.read, { ...filter, limit, offset: (page - 1) * limit })
    const total = await countVerifications(db.read, filter)
    return { verifications: rows.map(toVerification), pagination: paginate(page, limit, total), livemode }
  },
  read: async call => {
    await applyChangesFor(call)
    // Test data is not cached, because it also changes with time.
    call.isCacheable = isLive(call)
    return { ...(await readVerificationReply(call, await verificationOrFail(call))), livemode: isLive(call) }
  },
  cancel: async call => {
    await applyChangesFor(call)
    await verificationOrFail(call)
    const cancelled = await cancelVerification(call, createKeyCaller(call), call.params.ver)
    return { ...cancelled, livemode: isLive(call) }
  },
}

const isLive = ({ key }: Pick<Call<Domain['read']>, 'key'>) => key.mode === 'live'
