import type { adminUsers as routes, UserSort } from '@portal/contract/admin-users'
import { errorCatalogue } from '@portal/contract/errors'
import type { Role } from '@portal/contract/shapes'
import { fold } from '@portal/format/folding'
import { withoutPhonePrefix } from '@portal/format/phone'
import { companyName } from '@portal/format/text'
import { whyNotChangeRole, whyNotCreate, whyNotEdit, whyNotToggle } from '@portal/rules/accounts'
import { accountMessages } from '@portal/rules/messages'
import { accountOf, recordAccountChange, versionOf } from './account-history.ts'
import { deriveActivityLog } from './admin-logs.ts'
import { Fault, invalidField } from './fault.ts'
import { changesPage, requireVersion } from './history.ts'
import { newId } from './ids.ts'
import { mailFirstLink } from './mail-link.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import { endSessions } from './sessions.ts'
import type { MockState, MockUser } from './state.ts'
import { userOrFail } from './user-or-fail.ts'

/**
 * True if every word of the search occurs in the account: a word of one or two letters only at the start of a word, a longer
 * one anywhere.
 */
function matchesSearch(user: MockUser, search: string): boolean {
  const { email, phone, firstname, middlename, lastname, address } = user
  const digits = phone.replace(/[ ().-]/g, '')
  const text = fold(
    [email, phone, digits, firstname, middlename ?? '', lastname, companyName(address)].join('\n'),
  )
  const words = text.split(/[^\p{L}\p{N}]+/u)
  return fold(withoutPhonePrefix(search.trim()))
    .split(/\s+/)
    .every(word => (word.length >= 3 ? text.includes(word) : words.some(item => item.startsWith(word))))
}

function sortUsers(users: MockUser[], sort: UserSort = '-created_at'): MockUser[] {
  const descending = sort.startsWith('-')
  const name = (descending ? sort.slice(1) : sort) as 'created_at' | 'lastname' | 'email'
  if (sort === '-created_at') return users
  const key = (user: MockUser) => (name === 'lastname' ? fold(user.lastname) : user[name])
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return users.toSorted((a, b) => compare(key(a), key(b)) * (descending ? -1 : 1))
}

const statusFilters = {
  enabled: (user: MockUser) => user.is_enabled,
  disabled: (user: MockUser) => !user.is_enabled,
  verified: (user: MockUser) => user.is_verified,
  unverified: (user: MockUser) => !user.is_verified,
}

function requireUnusedEmail(state: MockState, email: string, exceptId?: string) {
  const isTaken = state.users.some(user => user.email === email && user.id !== exceptId)
  if (isTaken) throw new Fault('EMAIL_TAKEN', { email: errorCatalogue.EMAIL_TAKEN.message })
}

function forbidIf(message: string | undefined): void {
  if (message !== undefined) throw new Fault('FORBIDDEN', undefined, message)
}

function requireCanChangeRole(state: MockState, actor: MockUser, target: MockUser, newRole: Role) {
  const otherSuperAdmins = state.users.filter(
    ({ id, role, is_enabled, is_verified }) =>
      role === 'super_admin' && is_enabled && is_verified && id !== target.id,
  )
  forbidIf(whyNotChangeRole(actor, target, newRole, otherSuperAdmins.length))
}

function requireUnverified(user: MockUser) {
  if (!user.is_verified) return
  throw invalidField('email', accountMessages.alreadyVerified)
}

function requireCanViewHistory({ role }: MockUser, target: MockUser): void {
  if (target.role !== 'user' && role !== 'super_admin') throw new Fault('FORBIDDEN')
}

export const adminUsers: HandlersOf<typeof routes> = {
  list({ query, state }) {
    const { search, role: roles, status, created_from: from, created_to: to } = query
    const found = state.users
      .filter(user => matchesSearch(user, search))
      .filter(user => roles.length === 0 || roles.includes(user.role))
      .filter(user => status === undefined || statusFilters[status](user))
      .filter(({ created_at }) => from === undefined || created_at.slice(0, 10) >= from)
      .filter(({ created_at }) => to === undefined || created_at.slice(0, 10) <= to)
      .sort((a, b) => b.created_at.localeCompare(a.created_at))
    const { rows, pagination } = paginateRows(sortUsers(found, query.sort), query)
    return { users: rows.map(accountOf), pagination }
  },
  create(call) {
    const { user: actor, state, now } = call
    const { invite, ...body } = call.body
    forbidIf(whyNotCreate(actor, body.role))
    requireUnusedEmail(state, body.email)
    const user: MockUser = {
      ...body,
      id: newId(),
      password: invite ? '' : body.password,
      phone: body.phone ?? '',
      address: body.address ?? '',
      is_enabled: true,
      is_verified: false,
      created_at: now.toISOString(),
    }
    state.users.push(user)
    recordAccountChange(call, undefined, user)
    mailFirstLink(state, user, now)
    return {
      message: `User created successfully. ${invite ? 'An invitation' : 'A verification email'} is on its way.`,
      user: accountOf(user),
    }
  },
  update(call) {
    const { params, body, user: actor, sid, state, now } = call
    const user = userOrFail(state, params.id)
    requireVersion(call, versionOf(user))
    const before = { ...user }
    forbidIf(whyNotEdit(actor, user))
    requireCanChangeRole(state, actor, user, body.role ?? user.role)
    requireUnusedEmail(state, body.email, user.id)
    const isNewEmail = user.email !== body.email
    const { phone = user.phone, address = user.address, role = user.role, ...fields } = body
    Object.assign(user, { ...fields, phone, address, role })
    if (isNewEmail) {
      user.is_verified = false
      state.links = state.links.filter(link => link.user_id !== user.id)
      endSessions(state, user, sid)
      mailFirstLink(state, user, now)
    }
    recordAccountChange(call, before, user)
    return { message: accountMessages.updated, user: accountOf(user) }
  },
  toggleStatus(call) {
    const { params, user: actor, state } = call
    const user = userOrFail(state, params.id)
    requireVersion(call, versionOf(user))
    forbidIf(whyNotToggle(actor, user))
    const before = { ...user }
    user.is_enabled = !user.is_enabled
    if (!user.is_enabled) endSessions(state, user)
    recordAccountChange(call, before, user)
    return {
      message: user.is_enabled ? accountMessages.enabled : accountMessages.disabled,
      user: accountOf(user),
    }
  },
  verifyEmail(call) {
    const { params, state } = call
    const user = userOrFail(state, params.id)
    requireVersion(call, versionOf(user))
    const before = { ...user }
    user.is_verified = true
    recordAccountChange(call, before, user)
    state.links = state.links.filter(link => link.user_id !== user.id || link.purpose !== 'verify-email')
    return { message: accountMessages.addressVerified, user: accountOf(user) }
  },
  changeRole(call) {
    const { params, body, user: actor, state } = call
    const user = userOrFail(state, params.id)
    requireVersion(call, versionOf(user))
    requireCanChangeRole(state, actor, user, body.role)
    const before = { ...user }
    user.role = body.role
    recordAccountChange(call, before, user)
    return { message: accountMessages.roleUpdated, user: accountOf(user) }
  },
  resendVerification({ params, state, now }) {
    const user = userOrFail(state, params.id)
    requireUnverified(user)
    mailFirstLink(state, user, now)
    return { message: `${user.password === '' ? 'Invitation' : 'Verification email'} resent.` }
  },
  read({ params, user: caller, state }) {
    const user = userOrFail(state, params.id)
    const isSuperAdmin = caller.role === 'super_admin'
    const payments = state.payments.filter(payment => payment.user_id === user.id)
    const verifications = payments.filter(({ status }) => status === 'paid').length
    return {
      user: accountOf(user),
      organisations: (state.organisations ?? [])
        .flatMap(({ id, name, members }) =>
          members.filter(member => member.user_id === user.id).map(({ role }) => ({ id, name, role })),
        )
        .toSorted((a, b) => a.name.localeCompare(b.name)),
      counts: { verifications, payments: payments.length },
      second_factor: isSuperAdmin ? { is_set_up: user.recovery_codes !== undefined } : null,
      erasure: isSuperAdmin ? { due_at: user.erasure_due_at ?? null } : null,
    }
  },
  history({ params, query, user: caller, state }) {
    const target = userOrFail(state, params.id)
    requireCanViewHistory(caller, target)
    return changesPage(state, { kind: 'user', id: target.id }, query)
  },
  activity({ params, query, user: caller, state }) {
    const target = userOrFail(state, params.id)
    requireCanViewHistory(caller, target)
    const entries = deriveActivityLog(state).filter(item => item.user_id === target.id)
    const { rows: logs, pagination } = paginateRows(entries, query)
    return { logs, pagination }
  },
}
