import { type adminSearch, SEARCH_LIMIT } from '@portal/contract/admin-search'
import { toMajor } from '@portal/format/money'
import { listUsers } from '../accounts/list-store.ts'
import { listRegister } from '../certificates/list-store.ts'
import { displayEmail } from '../erased.ts'
import type { HandlersOf } from '../http/serve.ts'
import { statusOfPayment } from '../verification/rules.ts'
import { iso } from '../wire.ts'
import { findPayments } from './store.ts'

/** Quick search for staff: a few results of each kind, newest first. */
export const searchHandlers: HandlersOf<typeof adminSearch> = {
  everything: async ({ db: { read }, query: { q }, user }) => {
    const page = { search: q, page: 1, perPage: SEARCH_LIMIT }
    const number = q.toUpperCase()
    const certificates = await listRegister(read, { ...page, filters: { search: q }, sort: '-uploaded_at' })
    const accounts = await listUsers(read, {
      ...page,
      // Only accounts that the caller may change: admins may change users, and super admins may change everyone.
      roles: user.role === 'super_admin' ? [] : ['user'],
      status: undefined,
    })
    const payments = await findPayments(read, {
      text: number.replace(/[\s-]/g, ''),
      number,
      limit: SEARCH_LIMIT,
    })
    return {
      certificates: certificates.rows.map(row => ({
        id: row.id,
        certificate_number: row.certificateNumber,
        student_name: row.studentName,
        course: row.course,
      })),
      users: accounts.rows.map(row => ({
        id: row.id,
        name: [row.firstname, row.middlename, row.lastname].filter(Boolean).join(' '),
        email: row.email,
        role: row.role,
      })),
      transactions: payments.map(({ payment, email }) => ({
        transaction_id: payment.transactionId,
        payment_reference: payment.providerReference,
        email: displayEmail(email),
        status: statusOfPayment(payment),
        amount: toMajor(payment.amountMinor),
        currency: payment.currency,
        created_at: iso(payment.createdAt),
      })),
    }
  },
}
