import type { adminSettings } from '@portal/contract/admin-settings'
import { settingsMessages } from '@portal/rules/messages'
import type { Reader } from '../db/database.ts'
import type { Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { isoOrNull } from '../wire.ts'
import { changeSetting } from './changes.ts'
import { readGroupVersion, requireGroupVersion } from './history.ts'
import { readSettings, settingChangedAt } from './store.ts'

async function readLetterReply(db: Reader) {
  const { signature, letter_texts: texts } = await readSettings(db)
  const updatedAt = await settingChangedAt(db, 'signature', 'letter_texts')
  return {
    ...signature,
    ...texts,
    updated_at: isoOrNull(updatedAt),
    version: await readGroupVersion(db, 'letter'),
  }
}

export const showLetter: Handler<typeof adminSettings.letter> = ({ db }) => readLetterReply(db.read)

/**
 * Updates the signatory and the texts of letters. The images of the signature block are uploaded separately. Letters that have
 * already been issued do not change.
 */
export const updateLetter: Handler<typeof adminSettings.updateLetter> = async call => {
  const { subject, opening, closing, thanks, ...signatory } = call.body
  const reply = await call.db.write(async tx => {
    await requireGroupVersion(tx, call, 'letter')
    const { signature: before } = await readSettings(tx)
    const descriptions = [
      await changeSetting(tx, call, 'signature', { ...before, ...signatory }),
      await changeSetting(tx, call, 'letter_texts', { subject, opening, closing, thanks }),
    ]
    const details = descriptions.filter(description => description !== '').join('; ')
    if (details) await recordChange(tx, call, { activity: 'Letter template updated', details })
    return await readLetterReply(tx)
  })
  return { message: settingsMessages.letterSaved, ...reply }
}
