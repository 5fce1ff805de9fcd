import type { auth } from '@portal/contract/auth'
import { isExpected } from '@portal/contract/if-match'
import { accountMessages } from '@portal/rules/messages'
import { Fault } from '../fault.ts'
import { afterResponse } from '../http/after-response.ts'
import type { Handler } from '../http/serve.ts'
import { recordAccountChange } from './history.ts'
import { recordSessionUse, shouldRecordSessionUse } from './session-store.ts'
import { toProfile } from './sign-in-rules.ts'
import { findUser, updateProfile } from './store.ts'

/**
 * Returns the caller's profile. Also records that the session was used, because the portal requests the profile each time it is
 * opened.
 */
export const showProfile: Handler<typeof auth.profile> = async ({ user, db, ports, isHead }) => {
  const stored = await findUser(db.read, { id: user.id })
  if (!stored) throw new Fault('UNAUTHENTICATED')
  const use = { sessionId: user.sessionId, now: ports.clock.now() }
  if (!isHead && (await shouldRecordSessionUse(db.read, use)))
    afterResponse(ports, 'session_use_failed', database => database.write(tx => recordSessionUse(tx, use)))
  return { user: toProfile(stored) }
}

export const changeProfile: Handler<typeof auth.updateProfile> = async call => {
  const { body, user, db, ports } = call
  const now = ports.clock.now()
  const stored = await db.write(async tx => {
    const before = await findUser(tx, { id: user.id })
    if (!before) throw new Fault('UNAUTHENTICATED')
    const { id, version } = before
    if (!isExpected(call.expected, version)) throw new Fault('VERSION_CONFLICT')
    const fields = ['firstname', 'middlename', 'lastname', 'phone', 'address'] as const
    if (fields.every(name => body[name] === before[name])) return before
    const after = await updateProfile(tx, { id, version, fields: body, now })
    if (!after) throw new Fault('VERSION_CONFLICT')
    const logEntry = { activity: 'Profile updated', details: '' }
    await recordAccountChange(tx, call, { before, after, kind: 'self' }, logEntry)
    return after
  })
  return { message: accountMessages.profileUpdated, user: toProfile(stored) }
}
