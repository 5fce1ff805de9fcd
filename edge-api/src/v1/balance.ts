import type { v1Balance } from '@portal/contract/v1'
import type { HandlersOf } from '../http/serve.ts'
import { toBalance } from '../organisations/replies.ts'
import { TEST_BALANCE } from '../test-mode/numbers.ts'
import { organisationOf } from './organisation.ts'

export const v1BalanceHandlers: HandlersOf<typeof v1Balance> = {
  read: async call => {
    const { db, key } = call
    call.isCacheable = true
    return key.mode === 'test'
      ? { ...toBalance(TEST_BALANCE), livemode: false }
      : { ...toBalance(await organisationOf(db.read, key)), livemode: true }
  },
}
