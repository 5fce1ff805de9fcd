import { type AdminUser, userCreation, userUpdate } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import type * as z from 'zod'

/* The forms' values are what their inputs hold; the contract's bodies turn them into what is sent. */

export const createSchema = userCreation
export type CreateForm = z.input<typeof userCreation>
export type CreateBody = z.output<typeof userCreation>

export const editSchema = userUpdate
export type EditForm = z.input<typeof userUpdate>
export type EditBody = z.output<typeof userUpdate>

/** A blank form for a new account. */
export const blankForm = (role: Role): CreateForm => ({
  firstname: '',
  middlename: '',
  lastname: '',
  email: '',
  password: '',
  phone: '',
  address: '',
  role,
})

/** An account as stored; without the role, which then stays, where it may not be chosen. */
export function editForm(account: AdminUser, withRole: boolean): EditForm {
  const { firstname, lastname, email, phone, address, role } = account
  return { firstname, lastname, email, phone, address, ...(withRole && { role }) }
}
