import type { adminCertificates } from '@portal/contract/admin-certificates'
import { isExpected } from '@portal/contract/if-match'
import { certificateMessages } from '@portal/rules/messages'
import type { Tx } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { Fault } from '../fault.ts'
import { diffFields } from '../history/fields.ts'
import { originOf } from '../history/origin.ts'
import { recordHistory } from '../history/record.ts'
import type { Call, Handler, HandlersOf } from '../http/serve.ts'
import {
  type ChangedLetterCounts,
  changeAndUpdateLetters,
  describeLetterChanges,
  notifyHoldersOf,
  notifyHoldersSoon,
} from '../letter-holders/status-changes.ts'
import { history, letters, read } from './detail.ts'
import { facets, list } from './list.ts'
import { isRestorable } from './purge-rules.ts'
import {
  type CertificateFields,
  findById,
  hasLetters,
  insertCertificate,
  restoreCertificate,
  type StoredCertificate,
  updateCertificate,
  withdrawCertificate,
} from './store.ts'
import { certificateOf, valuesOf } from './values.ts'

type Domain = typeof adminCertificates

const fieldsOf = (body: Call<Domain['create']>['body']): CertificateFields => ({
  certificateNumber: body.certificate_number,
  studentName: body.student_name,
  matricNumber: body.matric_number,
  course: body.course,
  graduationDate: body.graduation_date,
  grade: body.grade,
  department: body.department,
})

/** Awaits a write. @throws Fault `CERTIFICATE_EXISTS` if another certificate has the number */
async function rejectTakenNumber<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new Fault('CERTIFICATE_EXISTS', { cause: error })
    throw error
  }
}

type ChangingCall = Pick<Call<Domain['remove']>, 'params' | 'expected' | 'ports'>

/** Returns the certificate that a call is about to change. @throws Fault `CERTIFICATE_NOT_FOUND`, `VERSION_CONFLICT` */
async function certificateOrFail(
  tx: Tx,
  { params, expected }: ChangingCall,
  state: 'current' | 'deleted',
): Promise<StoredCertificate> {
  const row = await findById(tx, params)
  if (!row || (row.deletedAt === null) !== (state === 'current')) throw new Fault('CERTIFICATE_NOT_FOUND')
  if (!isExpected(expected, row.version)) throw new Fault('VERSION_CONFLICT')
  return row
}

/**
 * Changes a certificate, updates its letters, and notifies their holders.
 * @throws Fault `VERSION_CONFLICT` if `change` fails
 */
async function changeVersion(
  tx: Tx,
  { ports }: ChangingCall,
  { id, at }: { id: string; at: number },
  change: () => Promise<StoredCertificate | undefined>,
): Promise<{ row: StoredCertificate; changed: ChangedLetterCounts }> {
  const { result: row, changed } = await changeAndUpdateLetters(
    tx,
    { certificateIds: [id], at, ports },
    change,
  )
  if (!row) throw new Fault('VERSION_CONFLICT')
  await notifyHoldersOf(ports, tx, { certificateId: id, at })
  return { row, changed }
}

/** Describes a change for the log: the number, the names of the changed fields without values, and the consequences. */
const detailsOf = (
  number: string,
  fields: readonly { field: string }[],
  changed: ChangedLetterCounts = {},
) => {
  const fieldNames = fields.map(({ field }) => field).join(', ')
  const letterChanges = describeLetterChanges(changed)
  return `${number}${fieldNames && `: ${fieldNames}`}${letterChanges && `${fieldNames ? ';' : ':'} ${letterChanges}`}`
}

const create: Handler<Domain['create']> = async call => {
  const at = call.ports.clock.now()
  const fields = fieldsOf(call.body)
  const row = await rejectTakenNumber(
    call.db.write(async tx => {
      const { email: uploaderEmail } = call.user
      const id = crypto.randomUUID()
      const inserted = await insertCertificate(tx, {
        id,
        ...fields,
        uploaderEmail,
        uploadedAt: at,
        updatedAt: at,
      })
      const label = inserted.certificateNumber
      await recordHistory(
        tx,
        originOf(call, { reason: call.body.reason, at }),
        [
          {
            kind: 'certificate',
            recordId: id,
            version: inserted.version,
            action: 'created',
            label,
            fields: diffFields(undefined, valuesOf(inserted)),
          },
        ],
        { activity: 'Certificate created', details: label },
      )
      return inserted
    }),
  )
  return { message: certificateMessages.added, certificate: certificateOf(row) }
}

const update: Handler<Domain['update']> = async call => {
  const { id } = call.params
  const fields = fieldsOf(call.body)
  const row = await rejectTakenNumber(
    call.db.write(async tx => {
      const before = await certificateOrFail(tx, call, 'current')
      const changes = diffFields(valuesOf(before), valuesOf(fields))
      if (changes.length === 0) return before
      const at = call.ports.clock.now()
      const { version } = before
      const after = await changeVersion(tx, call, { id, at }, () =>
        updateCertificate(tx, { id, version, fields, at }),
      )
      const label = after.row.certificateNumber
      await recordHistory(
        tx,
        originOf(call, { reason: call.body.reason, at }),
        [
          {
            kind: 'certificate',
            recordId: id,
            version: after.row.version,
            action: 'updated',
            label,
            fields: changes,
          },
        ],
        { activity: 'Certificate updated', details: detailsOf(label, changes, after.changed) },
      )
      return after.row
    }),
  )
  notifyHoldersSoon(call.ports)
  return { message: certificateMessages.updated, certificate: certificateOf(row) }
}

const remove: Handler<Domain['remove']> = async call => {
  const { id } = call.params
  const wasWithdrawn = await call.db.write(async tx => {
    const { version, certificateNumber: label } = await certificateOrFail(tx, call, 'current')
    const at = call.ports.clock.now()
    // A certificate without letters is purged after 90 days (`jobs/retention-store.ts`); until then it can be restored.
    const lettersExist = await hasLetters(tx, { id })
    const { row, changed } = await changeVersion(tx, call, { id, at }, () =>
      withdrawCertificate(tx, { id, version, at }),
    )
    const action = lettersExist ? 'withdrawn' : 'deleted'
    await recordHistory(
      tx,
      originOf(call, { reason: call.query.reason, at }),
      [{ kind: 'certificate', recordId: id, version: row.version, action, label, fields: [] }],
      { activity: `Certificate ${action}`, details: detailsOf(label, [], changed) },
    )
    return lettersExist
  })
  if (wasWithdrawn) notifyHoldersSoon(call.ports)
  return {
    message: wasWithdrawn ? certificateMessages.withdrawn : certificateMessages.deleted,
  }
}

const restore: Handler<Domain['restore']> = async call => {
  const { id } = call.params
  const row = await rejectTakenNumber(
    call.db.write(async tx => {
      const before = await certificateOrFail(tx, call, 'deleted')
      const { version, certificateNumber: label } = before
      const at = call.ports.clock.now()
      if (!isRestorable(before, await hasLetters(tx, { id }), at)) throw new Fault('CERTIFICATE_NOT_FOUND')
      const after = await changeVersion(tx, call, { id, at }, () =>
        restoreCertificate(tx, { id, version, at }),
      )
      await recordHistory(
        tx,
        originOf(call, { reason: call.body?.reason, at }),
        [
          {
            kind: 'certificate',
            recordId: id,
            version: after.row.version,
            action: 'restored',
            label,
            fields: [],
          },
        ],
        { activity: 'Certificate restored', details: detailsOf(label, [], after.changed) },
      )
      return after.row
    }),
  )
  notifyHoldersSoon(call.ports)
  return { message: certificateMessages.restored, certificate: certificateOf(row) }
}

export const certificateHandlers: HandlersOf<Domain> = {
  list,
  facets,
  create,
  update,
  remove,
  restore,
  read,
  history,
  letters,
}
