import type { adminSettings, FeeChange } from '@portal/contract/admin-settings'
import { paginate } from '@portal/contract/shapes'
import { formatMoney, toMajor, toMinor } from '@portal/format/money'
import { settingsMessages } from '@portal/rules/messages'
import type { Reader } from '../db/database.ts'
import { displayEmail } from '../erased.ts'
import type { Handler } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { minimumPaymentMinor } from '../minimum-payment.ts'
import type { Ports } from '../ports.ts'
import { iso, isoOrNull } from '../wire.ts'
import { readGroupVersion, requireGroupVersion } from './history.ts'
import { CURRENCY, settingShapes } from './rules.ts'
import { listChanges, readSettings, type SettingChange, settingChangedAt, writeSetting } from './store.ts'

async function readFeeReply(db: Reader, ports: Ports) {
  const { fee } = await readSettings(db)
  return {
    settings: { verification_fee: toMajor(fee.minor), currency: CURRENCY },
    minimum_payment: toMajor(minimumPaymentMinor(ports)),
    updated_at: isoOrNull(await settingChangedAt(db, 'fee')),
    version: await readGroupVersion(db, 'fee'),
  }
}

export const showFee: Handler<typeof adminSettings.fee> = ({ db, ports }) => readFeeReply(db.read, ports)

const formatFee = ({ minor }: { minor: number }) => formatMoney(toMajor(minor), CURRENCY)

export const updateFee: Handler<typeof adminSettings.updateFee> = async call => {
  const at = call.ports.clock.now()
  const value = { minor: toMinor(call.body.fee) }
  const reply = await call.db.write(async tx => {
    await requireGroupVersion(tx, call, 'fee')
    const change = await writeSetting(tx, { key: 'fee', value, at, author: call.user })
    if (change)
      await recordChange(tx, call, {
        activity: 'Verification fee updated',
        details: `From ${formatFee(change.from)} to ${formatFee(change.to)}`,
      })
    return await readFeeReply(tx, call.ports)
  })
  return { message: settingsMessages.feeUpdated, ...reply }
}

const toMajorFee = (value: unknown) => toMajor(settingShapes.fee.parse(value).minor)

const toFeeChange = (row: SettingChange): FeeChange => ({
  id: row.id,
  changed_at: iso(row.at),
  user_id: row.userId,
  user_email: displayEmail(row.userEmail),
  from_fee: toMajorFee(row.from),
  to_fee: toMajorFee(row.to),
  currency: CURRENCY,
})

export const showFeeHistory: Handler<typeof adminSettings.feeHistory> = async ({ db, query }) => {
  const { page, per_page: perPage } = query
  const { rows, total } = await listChanges(db.read, { key: 'fee', page, perPage })
  return { changes: rows.map(toFeeChange), pagination: paginate(page, perPage, total) }
}
