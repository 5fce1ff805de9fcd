import type { adminOrganisations } from '@portal/contract/admin-organisations'
import { isExpected } from '@portal/contract/if-match'
import { paginate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import { organisationStateNotice } from '@portal/format/organisation-notices'
import { organisationMessages } from '@portal/rules/organisations'
import { findUser } from '../accounts/store.ts'
import type { Reader, Tx } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { composeOrganisationStateMail } from '../mail/organisation-mail.ts'
import { sendSoon } from '../mail/outbox.ts'
import { notifyMembers } from '../membership/notify-members.ts'
import { findMember, insertMember, listMembers, type OrganisationRow } from '../membership/store.ts'
import { deleteEndpointsOf } from '../organisation-events/endpoint-store.ts'
import { revokeAllKeys } from '../organisation-keys/store.ts'
import { readPolicies } from '../settings/store.ts'
import { creditTransfer, payOut, refundCharge, reverseTransfer } from './admin-money.ts'
import { countBatches, countOrganisations, findPaidVerifications, listOrganisations } from './admin-store.ts'
import { toInvoice, toMovement } from './billing-rules.ts'
import { countMovements, listInvoices, listMovements, type MovementRow } from './billing-store.ts'
import { organisationOrFail } from './handlers.ts'
import { revokePendingInvitations } from './invitation-store.ts'
import { toMember, toOrganisation } from './replies.ts'
import { changeOrganisation, hasOpenWork, readStatistics } from './store.ts'

type Domain = typeof adminOrganisations
type StateCall = Pick<
  Call<Domain['vet']>,
  'db' | 'user' | 'params' | 'expected' | 'ports' | 'address' | 'requestId'
>

const EXPORT_BATCH = 500
/** Maximum number of movements and of invoices that are shown with an organisation. */
const MAX_NEWEST = 10

/** Types of movements that staff can reverse, unless the payment has already been reversed. */
const reversibleTypes: MovementRow['type'][] = ['charge', 'bank_credit']

const MANAGER_ROLES = ['owner', 'manager'] as const

/** Changes an organisation's state or vetting, and records the change in the activity log, in one transaction. */
async function changeState(
  call: StateCall,
  { message, activity }: { message: string; activity: string },
  change: (
    tx: Tx,
    before: OrganisationRow,
    at: number,
  ) => Promise<Partial<Pick<OrganisationRow, 'state' | 'stateReason' | 'vettedAt'>>>,
) {
  const { db, params, ports, expected } = call
  const organisation = await db.write(async tx => {
    const before = await organisationOrFail(tx, params.id)
    if (!isExpected(expected, before.version)) throw new Fault('VERSION_CONFLICT')
    const at = ports.clock.now()
    const changes = await change(tx, before, at)
    await changeOrganisation(tx, params.id, { ...changes, updatedAt: at })
    const details = changes.stateReason ? `${before.name}: ${changes.stateReason}` : before.name
    await recordChange(tx, call, { activity, details, organisationId: params.id })
    return await organisationOrFail(tx, params.id)
  })
  sendSoon(ports)
  return { message, organisation: toOrganisation(organisation) }
}

const requireState = ({ state }: OrganisationRow, ...states: OrganisationRow['state'][]) => {
  if (!states.includes(state)) throw new Fault('WRONG_STATE')
}

async function notifyOfState(
  { ports, params }: StateCall,
  tx: Tx,
  before: OrganisationRow,
  { state, reason, at }: { state: 'suspended' | 'active' | 'vetted' | 'closed'; reason?: string; at: number },
): Promise<void> {
  const isMailed = state === 'suspended' || state === 'active'
  await notifyMembers(ports, tx, {
    organisationId: params.id,
    roles: MANAGER_ROLES,
    notice: organisationStateNotice(before.name, state),
    ...(isMailed && {
      mail: (sender, to) =>
        composeOrganisationStateMail(sender, to, { organisation: before, state, reason: reason ?? null }),
    }),
    at,
  })
}

/** True if staff see the screens for organisations: the policy allows organisations, or there are some. */
async function areOrganisationsOffered(db: Reader): Promise<boolean> {
  const { organisations: policy } = await readPolicies(db)
  if (policy === 'on') return true
  return (await countOrganisations(db, { search: '', state: undefined, vetted: undefined })) > 0
}

async function close(call: StateCall) {
  const texts = { message: organisationMessages.closed, activity: 'Organisation closed' }
  return await changeState(call, texts, async (tx, before, at) => {
    requireState(before, 'active', 'suspended')
    if (await hasOpenWork(tx, { id: before.id })) throw new Fault('WRONG_STATE')
    if (before.balanceMinor !== 0 || before.heldMinor !== 0 || before.debtMinor !== 0)
      throw new Fault('ORGANISATION_HAS_BALANCE')
    await revokePendingInvitations(tx, { organisationId: before.id, now: at })
    await revokeAllKeys(tx, { organisationId: before.id, now: at })
    await deleteEndpointsOf(tx, { organisationId: before.id, at })
    await notifyOfState(call, tx, before, { state: 'closed', at })
    return { state: 'closed', stateReason: null }
  })
}

async function appointOwner(call: Call<Domain['appointOwner']>) {
  const { db, params, body, ports } = call
  return await db.write(async tx => {
    const organisation = await organisationOrFail(tx, params.id)
    requireState(organisation, 'active', 'suspended')
    const membership = { organisationId: params.id, userId: body.user_id }
    const user = await findUser(tx, { id: body.user_id })
    if (user?.role !== 'user' || !user.isEnabled || user.erasedAt !== null) throw new Fault('USER_NOT_FOUND')
    const at = ports.clock.now()
    const before = await findMember(tx, membership)
    if (before?.role === 'owner') throw new Fault('ALREADY_MEMBER')
    await insertMember(tx, { ...membership, role: 'owner', joinedAt: at })
    await recordChange(tx, call, {
      activity: before ? 'Organisation role changed' : 'Organisation member joined',
      details: `${user.email} as owner`,
      organisationId: params.id,
    })
    const member = await findMember(tx, membership)
    if (!member) throw new Fault('USER_NOT_FOUND')
    return { message: organisationMessages.ownerAppointed, member: toMember(member) }
  })
}

async function readDetail({ db, params, ports }: Call<Domain['read']>) {
  const organisation = await organisationOrFail(db.read, params.id)
  const { total, verified, notFound, spentMinor } = await readStatistics(db.read, params)
  const { all, running } = await countBatches(db.read, params)
  const filter = { organisationId: params.id, limit: MAX_NEWEST, offset: 0 }
  const now = ports.clock.now()
  const invoices = (await listInvoices(db.read, filter)).rows.map(row => toInvoice(row, now))
  return {
    organisation: toOrganisation(organisation),
    members: (await listMembers(db.read, filter)).map(toMember),
    counts: {
      verifications: total,
      verified,
      not_found: notFound,
      batches: all,
      running_batches: running,
      spent: toMajor(spentMinor),
    },
    movements: (await listMovements(db.read, filter)).map(toMovement),
    invoices: invoices.filter(({ state }) => state === 'open'),
  }
}

export const adminOrganisationHandlers: HandlersOf<Domain> = {
  list: withCsv(
    async ({ db, query }) => {
      const { page, per_page: limit, ...filter } = query
      const listFilter = { search: filter.search, state: filter.state, vetted: filter.vetted }
      const rows = await listOrganisations(db.read, { ...listFilter, limit, offset: (page - 1) * limit })
      return {
        organisations: rows.map(({ organisation, ...counts }) => ({
          ...toOrganisation(organisation),
          ...counts,
        })),
        pagination: paginate(page, limit, await countOrganisations(db.read, listFilter)),
        offered: await areOrganisationsOffered(db.read),
      }
    },
    async function* ({ db, query: { search, state, vetted } }) {
      for (let below: { at: number; id: string } | undefined; ; ) {
        const rows = await listOrganisations(db.read, { search, state, vetted, below, limit: EXPORT_BATCH })
        yield rows.map(({ organisation, ...counts }) => {
          const { address: _, ...rest } = toOrganisation(organisation)
          return { ...rest, ...counts }
        })
        const last = rows.at(-1)?.organisation
        if (!last || rows.length < EXPORT_BATCH) return
        below = { at: last.createdAt, id: last.id }
      }
    },
  ),
  read: readDetail,
  movements: async ({ db, params, query }) => {
    const { state } = await organisationOrFail(db.read, params.id)
    const { page, per_page: limit } = query
    const filter = { organisationId: params.id }
    const rows = await listMovements(db.read, { ...filter, limit, offset: (page - 1) * limit })
    const paidVerifications = await findPaidVerifications(db.read, {
      paymentIds: rows.map(({ paymentId }) => paymentId),
    })
    const total = await countMovements(db.read, filter)
    return {
      movements: rows.map(row => ({
        ...toMovement(row),
        verification_id:
          (row.type === 'charge' && paidVerifications.get(row.paymentId)?.verificationId) || null,
        reversible:
          state !== 'closed' && reversibleTypes.includes(row.type) && paidVerifications.has(row.paymentId),
      })),
      pagination: paginate(page, limit, total),
    }
  },
  vet: call =>
    changeState(
      call,
      { message: organisationMessages.vetted, activity: 'Organisation vetted' },
      async (tx, before, at) => {
        requireState(before, 'active', 'suspended')
        if (before.vettedAt !== null) throw new Fault('WRONG_STATE')
        await notifyOfState(call, tx, before, { state: 'vetted', at })
        return { vettedAt: at }
      },
    ),
  unvet: call =>
    changeState(
      call,
      { message: organisationMessages.unvetted, activity: 'Organisation vetting removed' },
      async (_, before) => {
        if (before.vettedAt === null) throw new Fault('WRONG_STATE')
        return { vettedAt: null }
      },
    ),
  suspend: call =>
    changeState(
      call,
      { message: organisationMessages.suspended, activity: 'Organisation suspended' },
      async (tx, before, at) => {
        requireState(before, 'active')
        const { reason } = call.body
        await notifyOfState(call, tx, before, { state: 'suspended', reason, at })
        return { state: 'suspended', stateReason: reason }
      },
    ),
  resume: call =>
    changeState(
      call,
      { message: organisationMessages.resumed, activity: 'Organisation resumed' },
      async (tx, before, at) => {
        requireState(before, 'suspended')
        await notifyOfState(call, tx, before, { state: 'active', at })
        return { state: 'active', stateReason: null }
      },
    ),
  credit: creditTransfer,
  reverseCredit: reverseTransfer,
  payOut,
  refund: refundCharge,
  appointOwner,
  close,
  reopen: call =>
    changeState(
      call,
      { message: organisationMessages.reopened, activity: 'Organisation reopened' },
      async (tx, before, at) => {
        requireState(before, 'closed')
        await notifyOfState(call, tx, before, { state: 'active', at })
        return { state: 'active', stateReason: null }
      },
    ),
}
