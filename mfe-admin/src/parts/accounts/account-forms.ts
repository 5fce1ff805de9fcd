import { type AdminUser, userCreation, userUpdate } from '@portal/contract/admin-users'
import type { Role } from '@portal/contract/shapes'
import type * as z from 'zod'

/* Form values are strings; the contract's body schemas convert them for the request. */

export const createSchema = userCreation
export type CreateForm = z.input<typeof userCreation>
export type CreateBody = z.output<typeof userCreation>

export const editSchema = userUpdate
export type EditForm = z.input<typeof userUpdate>
export type EditBody = z.output<typeof userUpdate>

/** Returns the initial form values for a new account. */
export const makeBlankForm = (role: Role): CreateForm => ({
  firstname: '',
  middlename: '',
  lastname: '',
  email: '',
  password: '',
  invite: false,
  phone: '',
  address: '',
  role,
})

/** Returns the form values of a stored account, without the role if it cannot be changed. */
export function toEditForm(account: AdminUser, canChangeRole: boolean): EditForm {
  const { firstname, lastname, email, phone, address, role } = account
  return { firstname, lastname, email, phone, address, ...(canChangeRole && { role }) }
}
