import type { Role } from '@portal/contract/shapes'
import {
  type Account,
  whyNotChangeRole,
  whyNotCreate,
  whyNotEdit,
  whyNotToggle,
} from '@portal/rules/accounts'
import { accountMessages } from '@portal/rules/messages'
import { Fault, invalidField } from '../fault.ts'
import type { User } from './store.ts'

/*
 * Checks the rules of `@portal/rules/accounts` about who may do what to which account. The checks run inside the write
 * transaction, with both accounts as they are at that time.
 */

/** The account that acts. */
export type Actor = Account

/** The account to be changed. */
export type Target = Pick<User, 'id' | 'role'>

/** Rejects the action if there is a message against it. @throws Fault `FORBIDDEN` with the message */
function forbidIf(message: string | undefined): void {
  if (message !== undefined) throw new Fault('FORBIDDEN', { message })
}

/** Requires a staff role. The route checked it before the transaction began, but it may have changed since. */
export function requireStaff(actor: Actor): void {
  if (actor.role === 'user') throw new Fault('FORBIDDEN')
}

/**
 * Requires that the actor may create an account with this role: admins create users; super admins create accounts of any role.
 */
export function requireCanCreate(actor: Actor, role: Role): void {
  requireStaff(actor)
  forbidIf(whyNotCreate(actor, role))
}

/** Requires that the actor may edit the target: admins edit accounts whose role is user; super admins edit any. */
export function requireCanEdit(actor: Actor, target: Target): void {
  requireStaff(actor)
  forbidIf(whyNotEdit(actor, target))
}

/** Requires that the actor may enable and disable the target: staff may do so for anyone but themselves and super admins. */
export function requireCanToggle(actor: Actor, target: Target): void {
  requireStaff(actor)
  forbidIf(whyNotToggle(actor, target))
}

/**
 * Requires that the actor may change the target's role: super admins may, except their own, and at least one super admin must
 * remain.
 * @param otherSuperAdmins number of other accounts that can log in as super admin
 */
export function requireCanChangeRole(
  actor: Actor,
  target: Target,
  newRole: Role,
  otherSuperAdmins: number,
): void {
  requireStaff(actor)
  forbidIf(whyNotChangeRole(actor, target, newRole, otherSuperAdmins))
}

/**
 * Requires that the address is not confirmed yet, because a verification link has no other use.
 * @throws Fault `VALIDATION_ERROR`
 */
export function requireUnverified(target: Pick<User, 'verifiedAt'>): void {
  if (target.verifiedAt === null) return
  throw invalidField('email', accountMessages.alreadyVerified)
}

const editableFields = ['firstname', 'lastname', 'email', 'phone', 'address', 'role'] as const

/** Fields that an edit can set; undefined ones stay unchanged. */
export type AccountFields = { [Field in (typeof editableFields)[number]]?: User[Field] | undefined }

/** Returns the names of the fields that an edit changes; the log contains only names, not values. */
export function findChangedFields(before: User, fields: AccountFields): (keyof AccountFields)[] {
  return editableFields.filter(name => fields[name] !== undefined && fields[name] !== before[name])
}
