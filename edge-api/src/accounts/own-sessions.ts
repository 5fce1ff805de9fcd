import type { ownSessions } from '@portal/contract/own-sessions'
import { accountMessages } from '@portal/rules/messages'
import type { HandlersOf } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { iso } from '../wire.ts'
import { requireOwnPassword } from './own-password.ts'
import { deleteSessionsOf, listSessionsOf } from './session-store.ts'

export const ownSessionHandlers: HandlersOf<typeof ownSessions> = {
  list: async ({ db, user, ports }) => {
    const rows = await listSessionsOf(db.read, { userId: user.id, now: ports.clock.now() })
    return {
      sessions: rows.map(({ id, createdAt, expiresAt, lastUsedAt, browser, system, ipAddress }) => ({
        started_at: iso(createdAt),
        expires_at: iso(expiresAt),
        current: id === user.sessionId,
        browser,
        system,
        ip_address: ipAddress,
        last_used_at: iso(lastUsedAt ?? createdAt),
      })),
    }
  },

  endOthers: async call => {
    const { body, db, user, ports } = call
    await requireOwnPassword(call, body.current_password)
    const now = ports.clock.now()
    const endedCount = await db.write(async tx => {
      const before = await listSessionsOf(tx, { userId: user.id, now })
      await deleteSessionsOf(tx, { userId: user.id, exceptSessionId: user.sessionId })
      await recordChange(tx, call, { activity: 'Other sessions ended', at: now })
      return before.filter(({ id }) => id !== user.sessionId).length
    })
    return { message: accountMessages.loggedOutElsewhere, ended: endedCount }
  },
}
