import type { v1Events } from '@portal/contract/v1'
import type { HandlersOf } from '../http/serve.ts'
import { buildEventListReply, buildEventReply } from '../organisation-webhooks/event-handlers.ts'
import { applyChangesFor } from './test-changes.ts'

export const v1EventHandlers: HandlersOf<typeof v1Events> = {
  list: async call => {
    await applyChangesFor(call)
    const { db, key, query } = call
    const livemode = key.mode === 'live'
    return { ...(await buildEventListReply(db.read, key.organisationId, { ...query, livemode })), livemode }
  },
  read: async call => {
    await applyChangesFor(call)
    const { db, key, params } = call
    const livemode = key.mode === 'live'
    call.isCacheable = livemode
    const eventKey = { organisationId: key.organisationId, id: params.evt, livemode }
    return { ...(await buildEventReply(db.read, eventKey)), livemode }
  },
}
