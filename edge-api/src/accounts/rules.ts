import type { Role } from '@portal/contract/shapes'
import { Fault, invalidField } from '../fault.ts'
import type { User } from './store.ts'

/*
 * Who may do what to whose account (specification, section 6; contract, section 6). Each rule throws a `FORBIDDEN`
 * that says why, and is asked inside the write transaction, with both accounts as they are at that moment.
 */

/** Who acts. */
export interface Actor {
  id: string
  role: Role
}

/** Whose account it is about. */
export type Target = Pick<User, 'id' | 'role'>

const forbidden = (message?: string) => new Fault('FORBIDDEN', message === undefined ? {} : { message })

/** Staff alone; asked again where the route's access was checked before the transaction began. */
export function requireStaff(actor: Actor): void {
  if (actor.role === 'user') throw forbidden()
}

/** Admins create users; super admins create any role. */
export function requireMayCreate(actor: Actor, role: Role): void {
  requireStaff(actor)
  if (actor.role !== 'super_admin' && role !== 'user')
    throw forbidden('Only a super administrator can create accounts with this role.')
}

/** Admins edit accounts whose role is user; super admins edit any. */
export function requireMayEdit(actor: Actor, target: Target): void {
  requireStaff(actor)
  if (actor.role !== 'super_admin' && target.role !== 'user')
    throw forbidden('Only a super administrator can edit this account.')
}

/** Staff enable and disable everyone but themselves and super admins. */
export function requireMayToggle(actor: Actor, target: Target): void {
  requireStaff(actor)
  if (actor.id === target.id) throw forbidden('You cannot disable your own account.')
  if (target.role === 'super_admin') throw forbidden('A super administrator cannot be disabled.')
}

/**
 * Super admins change the role of others; the last super admin stays one. The role an account already has is no change.
 * @param otherSuperAdmins how many others than the target can log in as super admin
 */
export function requireMayChangeRole(actor: Actor, target: Target, to: Role, otherSuperAdmins: number): void {
  requireStaff(actor)
  if (target.role === to) return
  if (actor.role !== 'super_admin') throw forbidden('Only a super administrator can change roles.')
  if (actor.id === target.id) throw forbidden('You cannot change your own role.')
  if (target.role === 'super_admin' && otherSuperAdmins < 1)
    throw forbidden('At least one super administrator who can log in must remain.')
}

/** A link is of use only while the address is unconfirmed. @throws Fault `VALIDATION_ERROR` */
export function requireUnverified(target: Pick<User, 'verifiedAt'>): void {
  if (target.verifiedAt === null) return
  throw invalidField('email', 'This email address is already verified.')
}

const edited = ['firstname', 'lastname', 'email', 'phone', 'address', 'role'] as const

/** What an edit may set; what is undefined stays. */
export type AccountFields = { [Field in (typeof edited)[number]]?: User[Field] | undefined }

/** The names of the fields whose value an edit would change, for the log: it names no values. */
export function changedFields(before: User, fields: AccountFields): (keyof AccountFields)[] {
  return edited.filter(name => fields[name] !== undefined && fields[name] !== before[name])
}
