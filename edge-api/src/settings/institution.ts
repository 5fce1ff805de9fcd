import type { adminSettings } from '@portal/contract/admin-settings'
import { settingsMessages } from '@portal/rules/messages'
import type { Reader } from '../db/database.ts'
import type { Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { isoOrNull } from '../wire.ts'
import { changeSetting } from './changes.ts'
import { readGroupVersion, requireGroupVersion } from './history.ts'
import { readSettings, settingChangedAt } from './store.ts'

async function readInstitutionReply(db: Reader) {
  const { institution } = await readSettings(db)
  return {
    ...institution,
    updated_at: isoOrNull(await settingChangedAt(db, 'institution')),
    version: await readGroupVersion(db, 'institution'),
  }
}

export const showInstitution: Handler<typeof adminSettings.institution> = ({ db }) =>
  readInstitutionReply(db.read)

/** Updates the institution's profile, except the logo, which is uploaded separately. */
export const updateInstitution: Handler<typeof adminSettings.updateInstitution> = async call => {
  const reply = await call.db.write(async tx => {
    await requireGroupVersion(tx, call, 'institution')
    const { institution: before } = await readSettings(tx)
    const details = await changeSetting(tx, call, 'institution', {
      ...call.body,
      bank_details: call.body.bank_details ?? before.bank_details,
      logo: before.logo,
    })
    if (details) await recordChange(tx, call, { activity: 'Institution settings updated', details })
    return await readInstitutionReply(tx)
  })
  return { message: settingsMessages.institutionSaved, ...reply }
}
