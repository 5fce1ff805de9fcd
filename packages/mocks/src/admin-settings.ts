import type { adminSettings as routes } from '@portal/contract/admin'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

const settingsOf = ({ fee }: MockState) => ({
  verification_fee: fee.minor / 100,
  currency: 'NGN',
  updated_at: fee.updated_at,
})

export const adminSettings: HandlersOf<typeof routes> = {
  fee: ({ state }) => ({ settings: settingsOf(state) }),
  updateFee({ body, state, now }) {
    state.fee = { minor: Math.round(body.fee * 100), updated_at: now.toISOString() }
    return { message: 'Verification fee updated.', settings: settingsOf(state) }
  },
}
