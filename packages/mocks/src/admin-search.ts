import { type adminSearch as routes, SEARCH_LIMIT } from '@portal/contract/admin-search'
import { fold } from '@portal/format/folding'
import { toMajor } from '@portal/format/money'
import { fullName } from '@portal/format/text'
import { CURRENCY } from './currency.ts'
import type { HandlersOf } from './serve.ts'

export const adminSearch: HandlersOf<typeof routes> = {
  everything({ state, query, user }) {
    const text = fold(query.q)
    const contains = (...texts: (string | null)[]) => texts.some(item => fold(item ?? '').includes(text))
    const number = query.q.toUpperCase()
    const id = number.replace(/[\s-]/g, '')
    const isSearchableId = !'CVF'.startsWith(id)
    return {
      certificates: state.certificates
        .filter(
          item =>
            contains(item.certificate_number, item.student_name, item.course) ||
            item.matric_number?.toUpperCase().startsWith(number),
        )
        .slice(0, SEARCH_LIMIT),
      users: state.users
        .filter(item => user.role === 'super_admin' || item.role === 'user')
        .map(item => ({
          ...item,
          name: fullName(item),
        }))
        .filter(item => contains(item.email, item.name, `${item.firstname} ${item.lastname}`))
        .slice(0, SEARCH_LIMIT),
      transactions: state.payments
        .filter(
          item =>
            isSearchableId &&
            (item.transaction_id.startsWith(id) ||
              item.payment_reference.startsWith(id) ||
              item.certificate_number.startsWith(number)),
        )
        .slice(0, SEARCH_LIMIT)
        .map(item => ({
          ...item,
          email: state.users.find(payer => payer.id === item.user_id)?.email ?? '',
          amount: toMajor(item.amount_minor),
          currency: CURRENCY,
          created_at: item.initiated_at,
        })),
    }
  },
}
