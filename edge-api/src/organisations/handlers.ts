import { isExpected } from '@portal/contract/if-match'
import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import type { accountAreas, organisations } from '@portal/contract/organisations'
import { paginate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import { organisationStateNotice } from '@portal/format/organisation-notices'
import { organisationMessages } from '@portal/rules/organisations'
import { requireOwnPassword } from '../accounts/own-password.ts'
import type { Reader } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { runOnceForKey } from '../idempotency/once-for-key.ts'
import { newPrefixedId } from '../ids.ts'
import { recordChange } from '../logs/record-change.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { findMembership, findOrganisation, insertMember, listOrganisationsOf } from '../membership/store.ts'
import { deleteEndpointsOf } from '../organisation-events/endpoint-store.ts'
import { revokeAllKeys } from '../organisation-keys/store.ts'
import { readPolicies } from '../settings/store.ts'
import { iso } from '../wire.ts'
import { acceptReceived, declineReceived } from './invitation-handlers.ts'
import { listReceivedInvitations, revokePendingInvitations } from './invitation-store.ts'
import { toActivity, toOwnOrganisation } from './replies.ts'
import {
  changeOrganisation,
  countActivity,
  countOwnedOrganisations,
  hasOpenWork,
  insertOrganisation,
  listActivity,
  readStatistics,
  updateOrganisation,
} from './store.ts'

type Domain = typeof organisations

/** Number of rows that an export reads per query. */
const EXPORT_BATCH = 1000

/** Returns a changed organisation, as seen by the member who changed it. */
async function readOwnReply(db: Reader, organisationId: string, userId: string) {
  const found = await findMembership(db, { organisationId, userId })
  if (!found) throw new Fault('ORGANISATION_NOT_FOUND')
  return toOwnOrganisation(found.organisation, found.role)
}

async function create(call: Call<Domain['create']>) {
  const { user, body, ports } = call
  if (user.role !== 'user') throw new Fault('FORBIDDEN', { message: organisationMessages.staffCannotJoin })
  return await runOnceForKey(call, { scope: user.id, action: 'organisation' }, async tx => {
    const { organisations: policy } = await readPolicies(tx)
    if (policy === 'off') throw new Fault('FEATURE_OFF')
    if ((await countOwnedOrganisations(tx, { userId: user.id })) >= ORGANISATION_LIMITS.owned)
      throw new Fault('LIMIT_REACHED')
    const id = newPrefixedId('org')
    const at = ports.clock.now()
    await insertOrganisation(tx, { id, profile: body, createdBy: user.id, at })
    await insertMember(tx, { organisationId: id, userId: user.id, role: 'owner', joinedAt: at })
    await recordChange(tx, call, {
      activity: 'Organisation created',
      details: body.name,
      organisationId: id,
    })
    return { message: organisationMessages.created, organisation: await readOwnReply(tx, id, user.id) }
  })
}

async function update(call: Call<Domain['update']>) {
  const { user, body, params, ports, expected } = call
  return await call.db.write(async tx => {
    const { organisation: before } = await memberOrFail(tx, user, params.id, 'manage', { change: true })
    if (!isExpected(expected, before.version)) throw new Fault('VERSION_CONFLICT')
    const at = ports.clock.now()
    if (!(await updateOrganisation(tx, { before, profile: body, at }))) throw new Fault('VERSION_CONFLICT')
    await recordChange(tx, call, {
      activity: 'Organisation updated',
      details: before.name === body.name ? body.name : `${before.name} → ${body.name}`,
      organisationId: params.id,
    })
    const hasLostVetting = before.vettedAt !== null && before.name !== body.name
    return {
      message: hasLostVetting ? organisationMessages.nameChanged : organisationMessages.updated,
      organisation: await readOwnReply(tx, params.id, user.id),
    }
  })
}

async function close(call: Call<Domain['close']>) {
  const { user, params, body, ports, db, expected } = call
  await memberOrFail(db.read, user, params.id, 'own')
  await requireOwnPassword(call, body.current_password)
  await db.write(async tx => {
    const { organisation } = await memberOrFail(tx, user, params.id, 'own')
    if (!isExpected(expected, organisation.version)) throw new Fault('VERSION_CONFLICT')
    if (organisation.state === 'closed') throw new Fault('WRONG_STATE')
    const { balanceMinor, heldMinor, debtMinor, name } = organisation
    if (await hasOpenWork(tx, { id: params.id })) throw new Fault('WRONG_STATE')
    if (balanceMinor !== 0 || heldMinor !== 0 || debtMinor !== 0) throw new Fault('ORGANISATION_HAS_BALANCE')
    const at = ports.clock.now()
    await changeOrganisation(tx, params.id, { state: 'closed', stateReason: null, updatedAt: at })
    await revokePendingInvitations(tx, { organisationId: params.id, now: at })
    await revokeAllKeys(tx, { organisationId: params.id, now: at })
    await deleteEndpointsOf(tx, { organisationId: params.id, at })
    await recordChange(tx, call, {
      activity: 'Organisation closed',
      details: name,
      organisationId: params.id,
    })
    const notice = organisationStateNotice(name, 'closed')
    await notifyMembers(ports, tx, { organisationId: params.id, roles: ['owner', 'manager'], notice, at })
  })
  return { message: organisationMessages.closed }
}

export const organisationHandlers: HandlersOf<Domain> = {
  list: async ({ db, user, query }) => {
    const joinedOrganisations =
      user.role === 'user' ? await listOrganisationsOf(db.read, { userId: user.id }) : []
    const { page, per_page: perPage } = query
    const visible = joinedOrganisations.slice((page - 1) * perPage, page * perPage)
    return {
      organisations: visible.map(({ organisation, role }) => toOwnOrganisation(organisation, role)),
      pagination: paginate(page, perPage, joinedOrganisations.length),
    }
  },
  create,
  read: async ({ db, user, params }) => {
    const { organisation, role } = await memberOrFail(db.read, user, params.id, 'read')
    const { total, verified, notFound, spentMinor } = await readStatistics(db.read, params)
    return {
      organisation: toOwnOrganisation(organisation, role),
      statistics: { total, verified, not_found: notFound, spent: toMajor(spentMinor) },
    }
  },
  update,
  close,
  activity: withCsv(
    async ({ db, user, params, query }) => {
      await memberOrFail(db.read, user, params.id, 'manage')
      const { page, per_page: perPage } = query
      const filter = { organisationId: params.id }
      const rows = await listActivity(db.read, { ...filter, limit: perPage, offset: (page - 1) * perPage })
      return {
        activity: rows.map(toActivity),
        pagination: paginate(page, perPage, await countActivity(db.read, filter)),
      }
    },
    async function* ({ db, user, params }) {
      await memberOrFail(db.read, user, params.id, 'manage')
      for (let offset = 0; ; offset += EXPORT_BATCH) {
        const rows = await listActivity(db.read, { organisationId: params.id, limit: EXPORT_BATCH, offset })
        yield rows.map(toActivity)
        if (rows.length < EXPORT_BATCH) return
      }
    },
  ),
}

export const accountAreaHandlers: HandlersOf<typeof accountAreas> = {
  read: async ({ db, user, ports }) => {
    const { organisations: policy } = await readPolicies(db.read)
    const isUser = user.role === 'user'
    const ownOrganisations = isUser ? await listOrganisationsOf(db.read, { userId: user.id }) : []
    const receivedInvitations = isUser
      ? await listReceivedInvitations(db.read, { email: user.email, now: ports.clock.now() })
      : []
    return {
      organisations: ownOrganisations.map(({ organisation: { id, name }, role }) => ({ id, name, role })),
      invitations: receivedInvitations.map(({ invitation, organisation }) => ({
        id: invitation.id,
        organisation: { name: organisation.name, vetted: organisation.vettedAt !== null },
        role: invitation.role,
        expires_at: iso(invitation.expiresAt),
      })),
      research_requests: 0,
      claims: 0,
      offers: { organisations: isUser && policy === 'on', research: false, graduates: false },
    }
  },
  accept: acceptReceived,
  decline: declineReceived,
}

/** Finds an organisation. @throws Fault `ORGANISATION_NOT_FOUND` */
export async function organisationOrFail(db: Reader, id: string) {
  const found = await findOrganisation(db, { id })
  if (!found) throw new Fault('ORGANISATION_NOT_FOUND')
  return found
}
