import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import type { organisations as routes } from '@portal/contract/organisations'
import { accountMessages } from '@portal/rules/messages'
import { organisationMessages } from '@portal/rules/organisations'
import { Fault } from './fault.ts'
import { requireVersion } from './history.ts'
import { findIdByIdempotencyKey, requireValidKey, storeIdempotencyKey } from './idempotency.ts'
import { newPrefixedId } from './ids.ts'
import { findMemberName, findMembership, memberOrFail, toOwnOrganisation } from './organisation-access.ts'
import { recordActivity } from './organisation-movements.ts'
import { organisationsIn } from './organisation-state.ts'
import type { MockOrganisation } from './organisation-types.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

const activityOf = (state: MockState, organisation: MockOrganisation) =>
  organisation.activity.map(({ user_id, ...entry }) => {
    const user = state.users.find(item => item.id === user_id)
    const actor =
      user_id === null
        ? 'System'
        : user && user.role !== 'user'
          ? 'Staff'
          : findMemberName(state, organisation, user_id)
    return { ...entry, actor }
  })

export const organisations: HandlersOf<typeof routes> = {
  list({ state, user, query }) {
    const ownOrganisations = organisationsIn(state).flatMap(item => {
      const member = findMembership(state, item, user)
      return member ? [toOwnOrganisation(item, member.role)] : []
    })
    const { rows, pagination } = paginateRows(ownOrganisations, query)
    return { organisations: rows, pagination }
  },
  create(call) {
    const { state, user, body, now } = call
    if (user.role !== 'user') throw new Fault('FORBIDDEN', undefined, organisationMessages.staffCannotJoin)
    requireValidKey(call)
    const earlierId = findIdByIdempotencyKey(call, JSON.stringify(body))
    const replayed = organisationsIn(state).find(item => item.id === earlierId)
    if (replayed)
      return { message: organisationMessages.created, organisation: toOwnOrganisation(replayed, 'owner') }
    if (state.settings.policies.organisations === 'off') throw new Fault('FEATURE_OFF')
    const owned = organisationsIn(state).filter(
      item => item.state !== 'closed' && findMembership(state, item, user)?.role === 'owner',
    )
    if (owned.length >= ORGANISATION_LIMITS.owned) throw new Fault('LIMIT_REACHED')
    const at = now.toISOString()
    const organisation: MockOrganisation = {
      ...body,
      id: newPrefixedId('org'),
      state: 'active',
      state_reason: null,
      vetted_at: null,
      created_at: at,
      version: 1,
      balance_minor: 0,
      held_minor: 0,
      debt_minor: 0,
      low_balance_alert_minor: null,
      members: [{ user_id: user.id, role: 'owner', joined_at: at }],
      invitations: [],
      activity: [],
      verifications: [],
      movements: [],
      topups: [],
      invoices: [],
      batches: [],
      transfers: [],
    }
    recordActivity(organisation, {
      user_id: user.id,
      activity: 'Organisation created',
      details: body.name,
      now,
    })
    organisationsIn(state).unshift(organisation)
    storeIdempotencyKey(call, JSON.stringify(body), organisation.id)
    return { message: organisationMessages.created, organisation: toOwnOrganisation(organisation, 'owner') }
  },
  read(call) {
    const { organisation, role } = memberOrFail(call, call.params.id, 'read')
    const live = organisation.verifications.filter(verification => verification.livemode)
    const count = (result: 'verified' | 'not_found') => live.filter(item => item.result === result).length
    return {
      organisation: toOwnOrganisation(organisation, role),
      statistics: {
        total: live.length,
        verified: count('verified'),
        not_found: count('not_found'),
        spent: live.reduce((sum, item) => sum + item.amount, 0),
      },
    }
  },
  update(call) {
    const { params, body, user, now } = call
    const { organisation, role } = memberOrFail(call, params.id, 'manage', { change: true })
    requireVersion(call, organisation.version)
    const isRenamed = organisation.name !== body.name
    const losesVetting = isRenamed && organisation.vetted_at !== null
    Object.assign(organisation, body, { version: organisation.version + 1 }, isRenamed && { vetted_at: null })
    recordActivity(organisation, {
      user_id: user.id,
      activity: 'Organisation updated',
      details: body.name,
      now,
    })
    const message = losesVetting ? organisationMessages.nameChanged : organisationMessages.updated
    return { message, organisation: toOwnOrganisation(organisation, role) }
  },
  close(call) {
    const { params, body, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'own')
    if (body.current_password !== user.password)
      throw new Fault('INVALID_CURRENT_PASSWORD', { current_password: accountMessages.wrongOwnPassword })
    requireVersion(call, organisation.version)
    closeOrganisation(organisation, { user_id: user.id, now })
    return { message: organisationMessages.closed }
  },
  activity(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'manage')
    const { rows, pagination } = paginateRows(activityOf(call.state, organisation), call.query)
    return { activity: rows, pagination }
  },
}

/**
 * Closes an organisation.
 * @throws Fault `WRONG_STATE`, `ORGANISATION_HAS_BALANCE`
 */
export function closeOrganisation(
  organisation: MockOrganisation,
  { user_id, now }: { user_id: string; now: Date },
): void {
  if (organisation.state === 'closed') throw new Fault('WRONG_STATE')
  const { balance_minor, held_minor, debt_minor } = organisation
  if (balance_minor !== 0 || held_minor !== 0 || debt_minor !== 0) throw new Fault('ORGANISATION_HAS_BALANCE')
  Object.assign(organisation, { state: 'closed', state_reason: null, version: organisation.version + 1 })
  for (const invitation of organisation.invitations)
    if (invitation.state === 'pending') invitation.state = 'revoked'
  for (const item of organisation.keys ?? []) item.revoked_at ??= now.toISOString()
  if (organisation.webhooks) organisation.webhooks.endpoints = []
  recordActivity(organisation, { user_id, activity: 'Organisation closed', details: organisation.name, now })
}
