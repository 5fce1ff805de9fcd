import type { HandlersOf } from '../../../edge-api/src/http/serve.ts'
import type { sampleDomain } from './contract.ts'
import { readSampleCall } from './store.ts'

export const sampleDomainHandlers: HandlersOf<typeof sampleDomain> = {
  sampleCall: async ({ db, user }) => ({ total: await readSampleCall(db.read, { userId: user.id }) }),
}
