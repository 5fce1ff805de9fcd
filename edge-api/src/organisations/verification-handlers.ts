import type { organisationVerifications } from '@portal/contract/organisation-verifications'
import { paginate } from '@portal/contract/shapes'
import { toMajor } from '@portal/format/money'
import { Fault } from '../fault.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { liveScope, onceForKey } from '../idempotency/once-for-key.ts'
import { unprintableFault } from '../letters/printable.ts'
import { periodOf } from '../logs/rules.ts'
import { memberOrFail } from '../membership/member-or-fail.ts'
import { findOrganisation } from '../membership/store.ts'
import { notifyUnprintableAmong, unprintableAmong } from '../payments/unprintable.ts'
import { readSettings } from '../settings/store.ts'
import { taxColumns } from '../settings/tax-line.ts'
import { templateOf } from '../verification/rules.ts'
import { deliveredOf, verificationOf } from './verification-replies.ts'
import {
  countVerifications,
  findByPayment,
  findVerification,
  listVerifications,
  type ShownVerification,
  type VerificationFilter,
} from './verification-store.ts'
import { verifyWithin } from './verify.ts'

type Domain = typeof organisationVerifications

/** Rows of an export read in one query. */
const EXPORT_BATCH = 1000

export const NO_TAX = { taxName: null, taxBasisPoints: null }

/** @throws Fault `LETTER_NOT_PRINTABLE` before any charge; staff are notified of the cause */
async function requirePrintable({ db, ports, params, body }: Call<Domain['create']>): Promise<void> {
  const found = await unprintableAmong(db.read, { userId: params.id, numbers: [body.certificate_number] })
  const [problem] = found.values()
  if (!problem) return
  await db.write(tx => notifyUnprintableAmong(tx, found, ports.clock.now()))
  throw unprintableFault(problem)
}

async function create(call: Call<Domain['create']>) {
  const { db, user, params, body, ports, address, requestId } = call
  await memberOrFail(db.read, user, params.id, 'verify', { change: true })
  await requirePrintable(call)
  const publicUrl = ports.environment.PUBLIC_URL
  const scope = { scope: liveScope(params.id), action: 'verification' }
  return await onceForKey(call, scope, async tx => {
    const { organisation } = await memberOrFail(tx, user, params.id, 'verify', { change: true })
    const { fee, tax, policies } = await readSettings(tx)
    const done = await verifyWithin(tx, call, {
      organisation,
      certificateNumber: body.certificate_number,
      reference: body.reference,
      purpose: body.purpose,
      feeMinor: fee.minor,
      unknownPolicy: policies.unknown_certificates,
      tax: { ...NO_TAX, ...taxColumns(tax) },
      requester: { userId: user.id, email: user.email, address, requestId },
      source: 'portal',
      batchId: null,
      at: ports.clock.now(),
    })
    if (done.kind === 'unprintable') throw unprintableFault(done.problem)
    const shown =
      done.kind === 'already_paid'
        ? await findByPayment(tx, done)
        : await findVerification(tx, { organisationId: params.id, id: done.id })
    const after = await findOrganisation(tx, params)
    if (!shown || !after) throw new Error('a verification has disappeared')
    const { certificate, letter } = await deliveredOf(tx, { paymentId: done.paymentId, publicUrl })
    return {
      verification: verificationOf(shown),
      certificate,
      letter,
      already_paid: done.kind === 'already_paid',
      balance: toMajor(after.balanceMinor - after.heldMinor),
    }
  })
}

const filterOf = ({ params, query }: Call<Domain['list']>): VerificationFilter => ({
  organisationId: params.id,
  search: query.search,
  status: query.status,
  result: query.result,
  source: query.source,
  requestedBy: query.requested_by,
  livemode: query.livemode,
  ...periodOf(query),
})

async function shownOrFail({ db, params }: Pick<Call<Domain['read']>, 'db' | 'params'>) {
  const found = await findVerification(db.read, { organisationId: params.id, id: params.ver })
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such verification.' })
  return found
}

async function replyOf({ db, ports }: Pick<Call, 'db' | 'ports'>, shown: ShownVerification) {
  const publicUrl = ports.environment.PUBLIC_URL
  const { paymentId } = shown.verification
  const { certificate, letter, standing } = await deliveredOf(db.read, { paymentId, publicUrl })
  return {
    verification: verificationOf(shown),
    certificate,
    letter,
    verification_template: standing ? templateOf(standing) : null,
  }
}

const csvRow = (row: ShownVerification) => {
  const { requested_by, livemode: _, ...shown } = verificationOf(row)
  return { ...shown, requested_by: requested_by?.name ?? null }
}

export const organisationVerificationHandlers: HandlersOf<Domain> = {
  create,
  list: withCsv(
    async call => {
      const { db, user, params, query } = call
      await memberOrFail(db.read, user, params.id, 'verify')
      const filter = filterOf(call)
      const { page, per_page: limit } = query
      const rows = await listVerifications(db.read, { ...filter, limit, offset: (page - 1) * limit })
      const total = await countVerifications(db.read, filter)
      return { verifications: rows.map(verificationOf), pagination: paginate(page, limit, total) }
    },
    async function* (call) {
      const { db, user, params } = call
      await memberOrFail(db.read, user, params.id, 'verify')
      for (let below: number | undefined; ; ) {
        const rows = await listVerifications(db.read, { ...filterOf(call), below, limit: EXPORT_BATCH })
        yield rows.map(csvRow)
        below = rows.at(-1)?.verification.seq
        if (rows.length < EXPORT_BATCH) return
      }
    },
  ),
  read: async call => {
    await memberOrFail(call.db.read, call.user, call.params.id, 'verify')
    return await replyOf(call, await shownOrFail(call))
  },
  cancel: async call => {
    await memberOrFail(call.db.read, call.user, call.params.id, 'verify', { change: true })
    await shownOrFail(call)
    // No verification waits for consent yet.
    throw new Fault('WRONG_STATE')
  },
}
