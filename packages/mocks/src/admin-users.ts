import type { adminUsers as routes } from '@portal/contract/admin-users'
import { errorCatalogue } from '@portal/contract/errors'
import type { Role } from '@portal/contract/shapes'
import { whyNotChangeRole, whyNotCreate, whyNotEdit, whyNotToggle } from '@portal/rules/accounts'
import { Fault, invalidField } from './fault.ts'
import { newId } from './ids.ts'
import { mailLink } from './mail-link.ts'
import { pageOf } from './page-of.ts'
import { contains } from './searching.ts'
import type { HandlersOf } from './serve.ts'
import { endSessions } from './sessions.ts'
import type { MockState, MockUser } from './state.ts'
import { userOrFail } from './user-or-fail.ts'

function matches({ email, firstname, middlename, lastname }: MockUser, search: string): boolean {
  const names = [`${firstname} ${lastname}`, `${firstname} ${middlename ?? ''} ${lastname}`]
  return [email, ...names].some(text => contains(text, search))
}

const byStatus = {
  enabled: (user: MockUser) => user.is_enabled,
  disabled: (user: MockUser) => !user.is_enabled,
  verified: (user: MockUser) => user.is_verified,
  unverified: (user: MockUser) => !user.is_verified,
}

function refuseTakenEmail(state: MockState, email: string, except?: string) {
  const taken = state.users.some(each => each.email === email && each.id !== except)
  if (taken) throw new Fault('EMAIL_TAKEN', { email: errorCatalogue.EMAIL_TAKEN.message })
}

function forbidIf(message: string | undefined): void {
  if (message !== undefined) throw new Fault('FORBIDDEN', undefined, message)
}

function requireMayChangeRole(state: MockState, actor: MockUser, target: MockUser, to: Role) {
  const others = state.users.filter(
    ({ id, role, is_enabled, is_verified }) =>
      role === 'super_admin' && is_enabled && is_verified && id !== target.id,
  )
  forbidIf(whyNotChangeRole(actor, target, to, others.length))
}

function requireUnverified(user: MockUser) {
  if (!user.is_verified) return
  throw invalidField('email', 'This email address is already verified.')
}

export const adminUsers: HandlersOf<typeof routes> = {
  list({ query, state }) {
    const { search, role: roles, status } = query
    const found = state.users
      .filter(user => matches(user, search))
      .filter(user => roles.length === 0 || roles.includes(user.role))
      .filter(user => status === undefined || byStatus[status](user))
      .sort((one, other) => other.created_at.localeCompare(one.created_at))
    const { rows: users, pagination } = pageOf(found, query)
    return { users, pagination }
  },
  create({ body, user: actor, state, now }) {
    forbidIf(whyNotCreate(actor, body.role))
    refuseTakenEmail(state, body.email)
    const user: MockUser = {
      ...body,
      id: newId(),
      phone: body.phone ?? '',
      address: body.address ?? '',
      is_enabled: true,
      is_verified: false,
      created_at: now.toISOString(),
    }
    state.users.push(user)
    mailLink(state, user, 'verify-email', now)
    return { message: 'User created successfully. A verification email is on its way.', user }
  },
  update({ params, body, user: actor, sid, state, now }) {
    const user = userOrFail(state, params.id)
    forbidIf(whyNotEdit(actor, user))
    requireMayChangeRole(state, actor, user, body.role ?? user.role)
    refuseTakenEmail(state, body.email, user.id)
    const newAddress = user.email !== body.email
    const { phone = user.phone, address = user.address, role = user.role, ...named } = body
    Object.assign(user, { ...named, phone, address, role })
    if (newAddress) {
      user.is_verified = false
      state.links = state.links.filter(link => link.user_id !== user.id)
      endSessions(state, user, sid)
      mailLink(state, user, 'verify-email', now)
    }
    return { message: 'User updated successfully', user }
  },
  toggleStatus({ params, user: actor, state }) {
    const user = userOrFail(state, params.id)
    forbidIf(whyNotToggle(actor, user))
    user.is_enabled = !user.is_enabled
    if (!user.is_enabled) endSessions(state, user)
    return {
      message: user.is_enabled ? 'User enabled successfully.' : 'User disabled successfully.',
      user,
    }
  },
  verifyEmail({ params, state }) {
    const user = userOrFail(state, params.id)
    user.is_verified = true
    state.links = state.links.filter(link => link.user_id !== user.id || link.purpose !== 'verify-email')
    return { message: 'User email verified successfully.', user }
  },
  changeRole({ params, body, user: actor, state }) {
    const user = userOrFail(state, params.id)
    requireMayChangeRole(state, actor, user, body.role)
    user.role = body.role
    return { message: 'User role updated successfully.', user }
  },
  resendVerification({ params, state, now }) {
    const user = userOrFail(state, params.id)
    requireUnverified(user)
    mailLink(state, user, 'verify-email', now)
    return { message: 'Verification email resent.' }
  },
}
