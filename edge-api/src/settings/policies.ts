import type { adminSettings } from '@portal/contract/admin-settings'
import { settingsMessages } from '@portal/rules/messages'
import type { Reader } from '../db/database.ts'
import type { Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { isoOrNull } from '../wire.ts'
import { changeSetting } from './changes.ts'
import { readGroupVersion, requireGroupVersion } from './history.ts'
import { readSettings, settingChangedAt } from './store.ts'

async function readPoliciesReply(db: Reader) {
  const { policies } = await readSettings(db)
  return {
    ...policies,
    updated_at: isoOrNull(await settingChangedAt(db, 'policies')),
    version: await readGroupVersion(db, 'policies'),
  }
}

export const showPolicies: Handler<typeof adminSettings.policies> = ({ db }) => readPoliciesReply(db.read)

/** Updates policies. Those that are omitted keep their values. */
export const updatePolicies: Handler<typeof adminSettings.updatePolicies> = async call => {
  const { body } = call
  const reply = await call.db.write(async tx => {
    await requireGroupVersion(tx, call, 'policies')
    const { policies: before } = await readSettings(tx)
    const details = await changeSetting(tx, call, 'policies', {
      unknown_certificates: body.unknown_certificates ?? before.unknown_certificates,
      public_tracking: body.public_tracking ?? before.public_tracking,
      staff_totp: body.staff_totp ?? before.staff_totp,
      organisations: body.organisations ?? before.organisations,
    })
    if (details) await recordChange(tx, call, { activity: 'Policies updated', details })
    return await readPoliciesReply(tx)
  })
  return { message: settingsMessages.policiesSaved, ...reply }
}
