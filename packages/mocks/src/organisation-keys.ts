import { PASSWORD_REQUIRED } from '@portal/contract/fields'
import { type ApiKey, KEYS_MAX, type organisationKeys as routes } from '@portal/contract/organisation-keys'
import type { KeyMode } from '@portal/contract/organisation-shapes'
import { newSecret, visiblePartsOf } from '@portal/rules/api-key'
import { accountMessages } from '@portal/rules/messages'
import { organisationMessages } from '@portal/rules/organisations'
import { Fault } from './fault.ts'
import { requireValidKey } from './idempotency.ts'
import { newPrefixedId } from './ids.ts'
import { findMemberName, memberOrFail } from './organisation-access.ts'
import { recordActivity } from './organisation-movements.ts'
import type { MockKey, MockOrganisation } from './organisation-types.ts'
import { paginateRows } from './paginate-rows.ts'
import type { HandlersOf } from './serve.ts'
import type { MockState } from './state.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Returns the API keys, newest first. A state saved by an older version has none yet. */
function keysIn(organisation: MockOrganisation): MockKey[] {
  organisation.keys ??= []
  return organisation.keys
}

function toApiKey(state: MockState, organisation: MockOrganisation, row: MockKey): ApiKey {
  const { created_by, rotated: _, ...rest } = row
  const name = findMemberName(state, organisation, created_by)
  return { ...rest, created_by: { user_id: name === 'Former member' ? null : created_by, name } }
}

function keyOrFail(organisation: MockOrganisation, id: string): MockKey {
  const found = keysIn(organisation).find(item => item.id === id)
  if (!found) throw new Fault('NOT_FOUND', undefined, 'There is no such key.')
  return found
}

function requireVetted({ vetted_at }: MockOrganisation, mode: KeyMode): void {
  if (mode === 'live' && vetted_at === null) throw new Fault('ORGANISATION_NOT_VETTED')
}

const isUsable = ({ revoked_at, rotated, expires_at }: MockKey, now: Date) =>
  revoked_at === null && !rotated && (expires_at ?? '') > now.toISOString()

export function createKey(
  organisation: MockOrganisation,
  { name, mode, access }: Pick<MockKey, 'name' | 'mode' | 'access'>,
  {
    createdBy,
    lifetimeMs,
    activity,
    now,
  }: { createdBy: string; lifetimeMs: number; activity: string; now: Date },
): { row: MockKey; secret: string } {
  const secret = newSecret(mode)
  const row: MockKey = {
    id: newPrefixedId('key'),
    name,
    mode,
    access,
    ...visiblePartsOf(secret),
    expires_at: new Date(now.getTime() + lifetimeMs).toISOString(),
    last_used_at: null,
    revoked_at: null,
    created_by: createdBy,
    created_at: now.toISOString(),
    rotated: false,
  }
  keysIn(organisation).unshift(row)
  const details = `${name} (${mode}, …${row.last4})`
  recordActivity(organisation, { user_id: createdBy, activity, details, now })
  return { row, secret }
}

export const organisationKeys: HandlersOf<typeof routes> = {
  list(call) {
    const { organisation } = memberOrFail(call, call.params.id, 'manage')
    const { rows, pagination } = paginateRows(keysIn(organisation), call.query)
    return { keys: rows.map(row => toApiKey(call.state, organisation, row)), pagination }
  },
  create(call) {
    const { state, params, body, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'manage', { change: true })
    requireVetted(organisation, body.mode)
    if (body.mode === 'live' && !body.current_password)
      throw new Fault('VALIDATION_ERROR', { current_password: PASSWORD_REQUIRED }, PASSWORD_REQUIRED)
    if (body.mode === 'live' && body.current_password !== user.password)
      throw new Fault('INVALID_CURRENT_PASSWORD', { current_password: accountMessages.wrongOwnPassword })
    requireValidKey(call)
    const active = keysIn(organisation).filter(item => item.mode === body.mode && isUsable(item, now))
    if (active.length >= KEYS_MAX) throw new Fault('LIMIT_REACHED')
    const { row, secret } = createKey(organisation, body, {
      createdBy: user.id,
      lifetimeMs: body.expires_in_days * DAY_MS,
      activity: 'API key created',
      now,
    })
    return { key: toApiKey(state, organisation, row), secret }
  },
  revoke(call) {
    const { state, params, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'manage', { change: true })
    const row = keyOrFail(organisation, params.key)
    if (row.revoked_at !== null) throw new Fault('WRONG_STATE')
    row.revoked_at = now.toISOString()
    const details = `${row.name} (${row.mode}, …${row.last4})`
    recordActivity(organisation, { user_id: user.id, activity: 'API key revoked', details, now })
    return { message: organisationMessages.keyRevoked, key: toApiKey(state, organisation, row) }
  },
  rotate(call) {
    const { state, params, body, user, now } = call
    const { organisation } = memberOrFail(call, params.id, 'manage', { change: true })
    requireValidKey(call)
    const oldKey = keyOrFail(organisation, params.key)
    requireVetted(organisation, oldKey.mode)
    if (!isUsable(oldKey, now)) throw new Fault('WRONG_STATE')
    const graceEnd = new Date(now.getTime() + body.grace_hours * HOUR_MS).toISOString()
    const lifetimeMs = Date.parse(oldKey.expires_at ?? '') - Date.parse(oldKey.created_at)
    oldKey.rotated = true
    if (body.grace_hours === 0) oldKey.revoked_at = now.toISOString()
    else if (graceEnd < (oldKey.expires_at ?? '')) oldKey.expires_at = graceEnd
    const { row, secret } = createKey(organisation, oldKey, {
      createdBy: user.id,
      lifetimeMs,
      activity: 'API key rotated',
      now,
    })
    return { key: toApiKey(state, organisation, row), secret }
  },
}
