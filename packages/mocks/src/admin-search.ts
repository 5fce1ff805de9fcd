import { type adminSearch as routes, SEARCH_LIMIT } from '@portal/contract/admin-search'
import { fold } from '@portal/format/folding'
import { toMajor } from '@portal/format/money'
import { fullName } from '@portal/format/text'
import { CURRENCY } from './currency.ts'
import type { HandlersOf } from './serve.ts'

export const adminSearch: HandlersOf<typeof routes> = {
  everything({ state, query, user }) {
    const text = fold(query.q)
    const contains = (...texts: (string | null)[]) => texts.some(each => fold(each ?? '').includes(text))
    const number = query.q.toUpperCase()
    const id = number.replace(/[\s-]/g, '')
    const isSearchableId = !'CVF'.startsWith(id)
    return {
      certificates: state.certificates
        .filter(
          each =>
            contains(each.certificate_number, each.student_name, each.course) ||
            each.matric_number?.toUpperCase().startsWith(number),
        )
        .slice(0, SEARCH_LIMIT),
      users: state.users
        .filter(each => user.role === 'super_admin' || each.role === 'user')
        .map(each => ({
          ...each,
          name: fullName(each),
        }))
        .filter(each => contains(each.email, each.name, `${each.firstname} ${each.lastname}`))
        .slice(0, SEARCH_LIMIT),
      transactions: state.payments
        .filter(
          each =>
            isSearchableId &&
            (each.transaction_id.startsWith(id) ||
              each.payment_reference.startsWith(id) ||
              each.certificate_number.startsWith(number)),
        )
        .slice(0, SEARCH_LIMIT)
        .map(each => ({
          ...each,
          email: state.users.find(payer => payer.id === each.user_id)?.email ?? '',
          amount: toMajor(each.amount_minor),
          currency: CURRENCY,
          created_at: each.initiated_at,
        })),
    }
  },
}
