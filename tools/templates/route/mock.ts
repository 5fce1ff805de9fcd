import { ownPayments } from '../../../packages/mocks/src/payments.ts'
import type { HandlersOf } from '../../../packages/mocks/src/serve.ts'
import type { sampleDomain as calls } from './contract.ts'

export const sampleDomain: HandlersOf<typeof calls> = {
  sampleCall({ user, state }) {
    const paid = ownPayments(state, user).filter(item => item.status === 'paid')
    return { total: new Set(paid.map(item => item.transaction_id)).size }
  },
}
