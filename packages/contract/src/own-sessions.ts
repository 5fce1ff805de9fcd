import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { ownPassword } from './second-factor.ts'
import { timestamp } from './shapes.ts'

/** Active sessions of an account. Devices and places are not recorded. */
export const ownSession = z.object({
  started_at: timestamp,
  expires_at: timestamp,
  /** The session of this request. */
  current: z.boolean(),
})

export const ownSessions = {
  list: route({
    method: 'GET',
    path: '/account/sessions',
    access: 'user',
    summary: 'Active sessions of the signed-in account, newest first.',
    reply: z.object({ sessions: z.array(ownSession) }),
  }),
  endOthers: route({
    method: 'POST',
    path: '/account/sessions/end-others',
    access: 'user',
    summary: "End the account's other sessions.",
    body: ownPassword,
    reply: z.object({ message: z.string(), ended: z.int() }),
  }),
}
