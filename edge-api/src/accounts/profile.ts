import type { auth } from '@portal/contract/auth'
import { Fault } from '../fault.ts'
import type { Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { profileOf } from './sign-in-rules.ts'
import { findUser, updateProfile } from './store.ts'

export const showProfile: Handler<typeof auth.profile> = async ({ user, db }) => {
  const stored = await findUser(db.read, { id: user.id })
  if (!stored) throw new Fault('UNAUTHENTICATED')
  return { user: profileOf(stored) }
}

export const changeProfile: Handler<typeof auth.updateProfile> = async call => {
  const { body, user, db, ports } = call
  const now = ports.clock.now()
  const stored = await db.write(async tx => {
    const changed = await updateProfile(tx, { id: user.id, fields: body, now })
    if (!changed) throw new Fault('UNAUTHENTICATED')
    await recordChange(tx, call, { activity: 'Profile updated', at: now })
    return changed
  })
  return { message: 'Profile updated successfully!', user: profileOf(stored) }
}
