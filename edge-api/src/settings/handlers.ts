import type { adminSettings } from '@portal/contract/admin'
import { formatMoney, toMajor, toMinor } from '@portal/format/money'
import type { Reader } from '../db/database.ts'
import { record } from '../logs/store.ts'
import type { HandlersOf } from '../serve.ts'
import { CURRENCY } from './rules.ts'
import { readSettings, settingChangedAt, writeSetting } from './store.ts'

async function feeReply(db: Reader) {
  const { fee } = await readSettings(db)
  const changedAt = await settingChangedAt(db, { key: 'fee' })
  return {
    verification_fee: toMajor(fee.minor),
    currency: CURRENCY,
    updated_at: changedAt === null ? null : new Date(changedAt).toISOString(),
  }
}

export const feeHandlers: HandlersOf<typeof adminSettings> = {
  fee: async ({ db }) => ({ settings: await feeReply(db.read) }),

  updateFee: async ({ db, body, user, ports, address, requestId }) => {
    const at = ports.clock.now()
    const minor = toMinor(body.fee)
    await db.write(async tx => {
      const { fee: before } = await readSettings(tx)
      await writeSetting(tx, { key: 'fee', value: { minor }, at, by: user.id })
      await record(tx, {
        userId: user.id,
        userEmail: user.email,
        activity: 'Verification fee updated',
        details: `From ${formatMoney(toMajor(before.minor), CURRENCY)} to ${formatMoney(body.fee, CURRENCY)}`,
        ipAddress: address,
        requestId,
        at,
      })
    })
    return { message: 'Verification fee updated.', settings: await feeReply(db.read) }
  },
}
