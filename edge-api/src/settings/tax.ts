import type { adminSettings } from '@portal/contract/admin-settings'
import type { Reader } from '../db/database.ts'
import type { Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { isoOrNull } from '../wire.ts'
import { changeSetting } from './changes.ts'
import { readGroupVersion, requireGroupVersion } from './history.ts'
import { readSettings, settingChangedAt } from './store.ts'

async function readTaxReply(db: Reader) {
  const { tax } = await readSettings(db)
  return {
    ...tax,
    updated_at: isoOrNull(await settingChangedAt(db, 'tax')),
    version: await readGroupVersion(db, 'tax'),
  }
}

export const showTax: Handler<typeof adminSettings.tax> = ({ db }) => readTaxReply(db.read)

export const updateTax: Handler<typeof adminSettings.updateTax> = async call => {
  const reply = await call.db.write(async tx => {
    await requireGroupVersion(tx, call, 'tax')
    const details = await changeSetting(tx, call, 'tax', call.body)
    if (details) await recordChange(tx, call, { activity: 'Tax settings updated', details })
    return await readTaxReply(tx)
  })
  return { message: 'Tax saved.', ...reply }
}

/** True if a tax has ever been set, so that payments may include one. */
export const hasTaxEverBeenSet = async (db: Reader): Promise<boolean> =>
  (await settingChangedAt(db, 'tax')) !== null
