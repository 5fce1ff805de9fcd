import { PASSWORD_REQUIRED } from '@portal/contract/fields'
import { type ApiKey, KEYS_MAX, type organisationKeys } from '@portal/contract/organisation-keys'
import { paginate } from '@portal/contract/shapes'
import { newSecret, visiblePartsOf } from '@portal/rules/api-key'
import { organisationMessages } from '@portal/rules/organisations'
import { requireOwnPassword } from '../accounts/own-password.ts'
import type { Reader, Tx } from '../db/database.ts'
import { sha256Hex } from '../digest.ts'
import { Fault, invalidField } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { liveScope, runOnceForKey } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { recordChange } from '../logs/record-change.ts'
import { composeKeyCreatedMail } from '../mail/organisation-mail.ts'
import { sendSoon } from '../mail/outbox.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { fullName, toRequester } from '../membership/requester.ts'
import type { OrganisationRow } from '../membership/store.ts'
import { iso, isoOrNull } from '../wire.ts'
import {
  changeKey,
  countActiveKeys,
  countKeys,
  findKey,
  insertKey,
  type KeyRow,
  type KeyView,
  listKeys,
} from './store.ts'

type Domain = typeof organisationKeys

const HOUR = 3_600_000
const DAY = 24 * HOUR

const MANAGER_ROLES = ['owner', 'manager'] as const

const toApiKey = ({ key, creator, creatorMemberId }: KeyView): ApiKey => ({
  id: key.id,
  name: key.name,
  mode: key.mode,
  access: key.access,
  prefix: key.prefix,
  last4: key.last4,
  expires_at: iso(key.expiresAt),
  last_used_at: isoOrNull(key.lastUsedAt),
  revoked_at: isoOrNull(key.revokedAt),
  created_by: toRequester({ requestedBy: key.createdBy, requester: creator, memberId: creatorMemberId }),
  created_at: iso(key.createdAt),
})

/** Finds a key of the organisation. @throws Fault `NOT_FOUND` */
async function keyOrFail(db: Reader, params: { id: string; key: string }): Promise<KeyView> {
  const found = await findKey(db, { organisationId: params.id, id: params.key })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such key.' })
  return found
}

/** Requires a vetted organisation for a live key. @throws Fault `ORGANISATION_NOT_VETTED` */
function requireVetted({ vettedAt }: OrganisationRow, mode: KeyRow['mode']): void {
  if (mode === 'live' && vettedAt === null) throw new Fault('ORGANISATION_NOT_VETTED')
}

/** Returns how the activity log names a key: `Payroll (live, …x9Kq)`. */
const describeKey = ({ name, mode, last4 }: Pick<KeyRow, 'name' | 'mode' | 'last4'>) =>
  `${name} (${mode}, …${last4})`

type CreatingCall = Pick<Call<Domain['create']>, 'ports' | 'address' | 'requestId' | 'user'>

interface KeyOptions {
  organisation: OrganisationRow
  name: string
  mode: KeyRow['mode']
  access: KeyRow['access']
  lifetimeMs: number
  activity: string
}

/** Stores a new key, records it in the activity log, and mails owners and managers. The secret is returned only here. */
async function createKey(
  tx: Tx,
  call: CreatingCall,
  options: KeyOptions,
): Promise<{ key: ApiKey; secret: string }> {
  const { organisation, name, mode, access, lifetimeMs, activity } = options
  const { ports, user } = call
  const organisationId = organisation.id
  const at = ports.clock.now()
  const secret = newSecret(mode)
  const id = newPrefixedId('key')
  const row = { id, organisationId, name, mode, access, ...visiblePartsOf(secret) }
  await insertKey(tx, {
    ...row,
    hash: sha256Hex(secret),
    createdBy: user.id,
    createdAt: at,
    expiresAt: at + lifetimeMs,
  })
  await recordChange(tx, call, { activity, details: describeKey(row), organisationId })
  const creatorName = fullName(user)
  await notifyMembers(ports, tx, {
    organisationId,
    roles: MANAGER_ROLES,
    mail: (sender, to) => composeKeyCreatedMail(sender, to, { organisation, key: row, creator: creatorName }),
    dedupeKey: `key created:${id}`,
    at,
  })
  return { key: toApiKey(await keyOrFail(tx, { id: organisationId, key: id })), secret }
}

/**
 * Requires the caller's password for creating a live key.
 * @throws Fault `VALIDATION_ERROR` without a password, `INVALID_CURRENT_PASSWORD` for a wrong one
 */
async function requirePasswordForLive(call: Call<Domain['create']>): Promise<void> {
  const { mode, current_password: password } = call.body
  if (mode !== 'live') return
  if (!password) throw invalidField('current_password', PASSWORD_REQUIRED)
  await requireOwnPassword(call, password)
}

async function create(call: Call<Domain['create']>) {
  const { db, user, params, body, ports } = call
  const { organisation } = await memberOrFail(db.read, user, params.id, 'manage', { change: true })
  requireVetted(organisation, body.mode)
  await requirePasswordForLive(call)
  const { current_password: _, ...request } = body
  const operation = { scope: liveScope(params.id), action: 'key', request, secret: true }
  const reply = await runOnceForKey(call, operation, async tx => {
    const { organisation } = await memberOrFail(tx, user, params.id, 'manage', { change: true })
    requireVetted(organisation, body.mode)
    const now = ports.clock.now()
    if ((await countActiveKeys(tx, { organisationId: params.id, mode: body.mode, now })) >= KEYS_MAX)
      throw new Fault('LIMIT_REACHED')
    return await createKey(tx, call, {
      organisation,
      name: body.name,
      mode: body.mode,
      access: body.access,
      lifetimeMs: body.expires_in_days * DAY,
      activity: 'API key created',
    })
  })
  sendSoon(ports)
  return reply
}

async function rotate(call: Call<Domain['rotate']>) {
  const { user, params, body, ports } = call
  const operation = { scope: liveScope(params.id), action: `rotate ${params.key}`, secret: true }
  const reply = await runOnceForKey(call, operation, async tx => {
    const { organisation } = await memberOrFail(tx, user, params.id, 'manage', { change: true })
    const { key: oldKey } = await keyOrFail(tx, params)
    requireVetted(organisation, oldKey.mode)
    const now = ports.clock.now()
    requireInUse(oldKey, now)
    const expiresAt = Math.min(oldKey.expiresAt, now + body.grace_hours * HOUR)
    await changeKey(tx, oldKey.id, {
      rotatedAt: now,
      ...(expiresAt > now ? { expiresAt } : { revokedAt: now }),
    })
    return await createKey(tx, call, {
      organisation,
      name: oldKey.name,
      mode: oldKey.mode,
      access: oldKey.access,
      lifetimeMs: oldKey.expiresAt - oldKey.createdAt,
      activity: 'API key rotated',
    })
  })
  sendSoon(ports)
  return reply
}

/** Requires a key that is in use. @throws Fault `WRONG_STATE` if it was revoked or replaced, or has expired */
function requireInUse({ revokedAt, rotatedAt, expiresAt }: KeyRow, now: number): void {
  if (revokedAt !== null || rotatedAt !== null || expiresAt <= now) throw new Fault('WRONG_STATE')
}

async function revoke(call: Call<Domain['revoke']>) {
  const { db, user, params, ports } = call
  const key = await db.write(async tx => {
    await memberOrFail(tx, user, params.id, 'manage', { change: true })
    const { key } = await keyOrFail(tx, params)
    if (key.revokedAt !== null) throw new Fault('WRONG_STATE')
    await changeKey(tx, key.id, { revokedAt: ports.clock.now() })
    await recordChange(tx, call, {
      activity: 'API key revoked',
      details: describeKey(key),
      organisationId: params.id,
    })
    return toApiKey(await keyOrFail(tx, params))
  })
  return { message: organisationMessages.keyRevoked, key }
}

export const organisationKeyHandlers: HandlersOf<Domain> = {
  list: async ({ db, user, params, query }) => {
    await memberOrFail(db.read, user, params.id, 'manage')
    const { page, per_page: limit } = query
    const filter = { organisationId: params.id }
    const rows = await listKeys(db.read, { ...filter, limit, offset: (page - 1) * limit })
    return { keys: rows.map(toApiKey), pagination: paginate(page, limit, await countKeys(db.read, filter)) }
  },
  create,
  revoke,
  rotate,
}
