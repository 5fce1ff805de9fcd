import type { adminCertificates } from '@portal/contract/admin-certificates'
import type { Certificate } from '@portal/contract/shapes'
import { paginate } from '@portal/contract/shapes'
import { isUniqueViolation } from '../db/errors.ts'
import { shownEmail } from '../erased.ts'
import { Fault } from '../fault.ts'
import type { Call, HandlersOf } from '../http/serve.ts'
import { countLetters } from '../letter-holders/standing-store.ts'
import {
  type Changed,
  changedInWords,
  followLetters,
  tellHoldersOf,
  tellHoldersSoon,
} from '../letter-holders/withdrawal.ts'
import { recordChange } from '../logs/record-change.ts'
import { iso } from '../wire.ts'
import {
  type CertificateFields,
  findById,
  hasLetters,
  insertCertificate,
  listCertificates,
  type NewCertificate,
  restoreCertificate,
  updateCertificate,
  withdrawCertificate,
} from './store.ts'

const reply = (row: NewCertificate): Certificate => ({
  id: row.id,
  certificate_number: row.certificateNumber,
  student_name: row.studentName,
  matric_number: row.matricNumber,
  course: row.course,
  graduation_date: row.graduationDate,
  grade: row.grade,
  department: row.department,
  uploader_email: shownEmail(row.uploaderEmail),
  uploaded_at: iso(row.uploadedAt),
})

const fieldsOf = (body: Call<typeof adminCertificates.create>['body']): CertificateFields => ({
  certificateNumber: body.certificate_number,
  studentName: body.student_name,
  matricNumber: body.matric_number,
  course: body.course,
  graduationDate: body.graduation_date,
  grade: body.grade,
  department: body.department,
})

/** Turns the database's refusal of a second standing certificate with the same number into the catalogue's. */
async function refuseTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new Fault('CERTIFICATE_EXISTS', { cause: error })
    throw error
  }
}

/** Number and consequences of a change, for the log. */
const changeOf = (certificateNumber: string, changed: Changed) =>
  [certificateNumber, changedInWords(changed)].filter(Boolean).join(': ')

export const certificateHandlers: HandlersOf<typeof adminCertificates> = {
  list: async ({ db, query }) => {
    const { rows, total } = await listCertificates(db.read, {
      search: query.search,
      page: query.page,
      perPage: query.per_page,
    })
    const letters = await countLetters(db.read, { certificateIds: rows.map(({ id }) => id) })
    return {
      certificates: rows.map(row => ({ ...reply(row), letters: letters.get(row.id) ?? 0 })),
      pagination: paginate(query.page, query.per_page, total),
    }
  },

  create: async call => {
    const at = call.ports.clock.now()
    const row = {
      id: crypto.randomUUID(),
      ...fieldsOf(call.body),
      uploaderEmail: call.user.email,
      uploadedAt: at,
      updatedAt: at,
    }
    await refuseTaken(
      call.db.write(async tx => {
        await insertCertificate(tx, row)
        await recordChange(tx, call, { activity: 'Certificate created', details: row.certificateNumber })
      }),
    )
    return { message: 'Certificate added.', certificate: reply(row) }
  },

  update: async call => {
    const { id } = call.params
    const row = await refuseTaken(
      call.db.write(async tx => {
        const at = call.ports.clock.now()
        const { result: updated, changed } = await followLetters(
          tx,
          { certificateIds: [id], at },
          async () => {
            const found = await updateCertificate(tx, { id, fields: fieldsOf(call.body), at })
            return found ? await findById(tx, { id }) : undefined
          },
        )
        if (!updated) throw new Fault('CERTIFICATE_NOT_FOUND')
        await tellHoldersOf(call.ports, tx, { certificateId: id, at })
        await recordChange(tx, call, {
          activity: 'Certificate updated',
          details: changeOf(updated.certificateNumber, changed),
        })
        return updated
      }),
    )
    tellHoldersSoon(call.ports)
    return { message: 'Certificate updated.', certificate: reply(row) }
  },

  remove: async call => {
    const { id } = call.params
    const withdrawn = await call.db.write(async tx => {
      const row = await findById(tx, { id })
      if (!row || row.withdrawnAt !== null) throw new Fault('CERTIFICATE_NOT_FOUND')
      const at = call.ports.clock.now()
      if (!(await hasLetters(tx, { id }))) {
        // Its row goes a day later (`jobs/retention-store.ts`): until then it can be brought back.
        await withdrawCertificate(tx, { id, at })
        await recordChange(tx, call, { activity: 'Certificate deleted', details: row.certificateNumber })
        return false
      }
      const { changed } = await followLetters(tx, { certificateIds: [id], at }, () =>
        withdrawCertificate(tx, { id, at }),
      )
      await tellHoldersOf(call.ports, tx, { certificateId: id, at })
      await recordChange(tx, call, {
        activity: 'Certificate withdrawn',
        details: changeOf(row.certificateNumber, changed),
      })
      return true
    })
    if (withdrawn) tellHoldersSoon(call.ports)
    return {
      message: withdrawn
        ? 'Certificate withdrawn. Letters issued for it now say so; its history is kept.'
        : 'Certificate deleted.',
    }
  },

  restore: async call => {
    const { id } = call.params
    const row = await refuseTaken(
      call.db.write(async tx => {
        const at = call.ports.clock.now()
        const { result: restored, changed } = await followLetters(tx, { certificateIds: [id], at }, () =>
          restoreCertificate(tx, { id, at }),
        )
        if (!restored) throw new Fault('CERTIFICATE_NOT_FOUND')
        await tellHoldersOf(call.ports, tx, { certificateId: id, at })
        await recordChange(tx, call, {
          activity: 'Certificate restored',
          details: changeOf(restored.certificateNumber, changed),
        })
        return restored
      }),
    )
    tellHoldersSoon(call.ports)
    return { message: 'Certificate restored.', certificate: reply(row) }
  },
}
