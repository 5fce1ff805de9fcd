import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { ownPassword } from './second-factor.ts'
import { timestamp } from './shapes.ts'

/** An active session of an account, with details by which its owner can recognise it; null where unknown. */
export const ownSession = z.object({
  started_at: timestamp,
  expires_at: timestamp,
  /** True for the session that made this request. */
  current: z.boolean(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** IP address from which the session was started. */
  ip_address: z.string().nullable(),
  /** When the session was last used to open the portal, accurate to a few minutes. */
  last_used_at: timestamp,
})
export type OwnSession = z.infer<typeof ownSession>

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
