import './zod-setup.ts'
import * as z from 'zod'
import { normaliseSearch } from './certificate-number.ts'
import { route } from './route.ts'
import { certificate, money, role, timestamp } from './shapes.ts'
import { paymentStatus } from './verification.ts'

/** Maximum number of results of each kind. */
export const SEARCH_LIMIT = 5

/** Minimum length of a query. */
const MIN_QUERY_LENGTH = 2

export const foundUser = z.object({ id: z.string(), name: z.string(), email: z.string(), role })
export const foundCertificate = certificate.pick({
  id: true,
  certificate_number: true,
  student_name: true,
  course: true,
})
export const foundTransaction = z.object({
  transaction_id: z.string(),
  payment_reference: z.string(),
  email: z.string(),
  status: paymentStatus,
  amount: money,
  currency: z.string(),
  created_at: timestamp,
})

export const adminSearch = {
  everything: route({
    method: 'GET',
    path: '/admin/search',
    access: 'admin',
    summary:
      'Certificates by number, name, course or the beginning of a matric number, accounts by name, email or phone number (admins: ordinary users only), payments by the start of their ID or reference or by certificate number; at most five each.',
    query: z.object({
      q: z
        .string()
        .overwrite(normaliseSearch)
        .min(MIN_QUERY_LENGTH, 'Please enter at least 2 characters.')
        .max(200, 'Please enter at most 200 characters.'),
    }),
    reply: z.object({
      certificates: z.array(foundCertificate),
      users: z.array(foundUser),
      transactions: z.array(foundTransaction),
    }),
  }),
}
