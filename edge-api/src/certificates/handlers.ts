import type { adminCertificates } from '@portal/contract/admin'
import type { Certificate } from '@portal/contract/shapes'
import { paginate } from '@portal/contract/shapes'
import { isUniqueViolation } from '../db/errors.ts'
import { Fault } from '../fault.ts'
import { record } from '../logs/store.ts'
import { tellHolders } from '../notifications/tell.ts'
import type { Call, HandlersOf } from '../serve.ts'
import {
  type CertificateFields,
  deleteCertificate,
  findById,
  hasLetters,
  insertCertificate,
  listCertificates,
  type NewCertificate,
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
  uploader_email: row.uploaderEmail,
  uploaded_at: new Date(row.uploadedAt).toISOString(),
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

type By = Pick<Call<typeof adminCertificates.remove>, 'user' | 'address' | 'requestId' | 'ports'>

const entry = ({ user, address, requestId, ports }: By, activity: string, details: string) => ({
  userId: user.id,
  userEmail: user.email,
  activity,
  details,
  ipAddress: address,
  requestId,
  at: ports.clock.now(),
})

export const certificateHandlers: HandlersOf<typeof adminCertificates> = {
  list: async ({ db, query }) => {
    const { rows, total } = await listCertificates(db.read, {
      search: query.search,
      page: query.page,
      perPage: query.per_page,
    })
    return { certificates: rows.map(reply), pagination: paginate(query.page, query.per_page, total) }
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
        await record(tx, entry(call, 'Certificate created', row.certificateNumber))
      }),
    )
    return { message: 'Certificate added.', certificate: reply(row) }
  },

  update: async call => {
    const { id } = call.params
    const row = await refuseTaken(
      call.db.write(async tx => {
        const at = call.ports.clock.now()
        await tellHolders(tx, { certificateId: id, change: 'corrected', at })
        const found = await updateCertificate(tx, { id, fields: fieldsOf(call.body), at })
        const updated = found ? await findById(tx, { id }) : undefined
        if (!updated) throw new Fault('CERTIFICATE_NOT_FOUND')
        await record(tx, entry(call, 'Certificate updated', updated.certificateNumber))
        return updated
      }),
    )
    return { message: 'Certificate updated.', certificate: reply(row) }
  },

  remove: async call => {
    const { id } = call.params
    const withdrawn = await call.db.write(async tx => {
      const row = await findById(tx, { id })
      if (!row || row.withdrawnAt !== null) throw new Fault('CERTIFICATE_NOT_FOUND')
      const keep = await hasLetters(tx, { id })
      if (keep) {
        const at = call.ports.clock.now()
        await tellHolders(tx, { certificateId: id, change: 'withdrawn', at })
        await withdrawCertificate(tx, { id, at })
      } else await deleteCertificate(tx, { id })
      await record(
        tx,
        entry(call, keep ? 'Certificate withdrawn' : 'Certificate deleted', row.certificateNumber),
      )
      return keep
    })
    return {
      message: withdrawn
        ? 'Certificate withdrawn. Letters issued for it now say so; its history is kept.'
        : 'Certificate deleted.',
    }
  },
}
