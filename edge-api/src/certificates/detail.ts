import type { adminCertificates, CertificateDetail } from '@portal/contract/admin-certificates'
import type { Change } from '@portal/contract/history'
import { verificationTemplate } from '@portal/contract/letter'
import { paginate } from '@portal/contract/shapes'
import type { Reader } from '../db/database.ts'
import { displayEmail } from '../erased.ts'
import { Fault } from '../fault.ts'
import { toChange } from '../history/change-response.ts'
import { listChangesOf } from '../history/store.ts'
import type { Handler } from '../http/serve.ts'
import { letterStatus } from '../letters/rules.ts'
import { iso, isoOrNull } from '../wire.ts'
import { countVerifications, findUploadOf, listLetterPage, listLettersOfCertificate } from './detail-store.ts'
import { purgeDayOf } from './purge-rules.ts'
import { findById, type StoredCertificate } from './store.ts'
import { certificateOf } from './values.ts'

type Domain = typeof adminCertificates

const KIND = 'certificate'

async function certificateOrFail(db: Reader, id: string): Promise<StoredCertificate> {
  const row = await findById(db, { id })
  if (!row) throw new Fault('CERTIFICATE_NOT_FOUND')
  return row
}

/** Returns who deleted a certificate: the actor of its latest change, because a deleted certificate cannot be changed. */
async function findDeletionActor(db: Reader, { id: recordId, deletedAt }: StoredCertificate) {
  if (deletedAt === null) return null
  const { rows } = await listChangesOf(db, { kind: KIND, recordId, offset: 0, limit: 1 })
  const [last] = rows.map(toChange)
  return last?.action === 'deleted' || last?.action === 'withdrawn' ? (last.actor?.email ?? null) : null
}

/** Returns one certificate. It may be deleted, but not purged. */
export const read: Handler<Domain['read']> = async ({ db: { read: db }, params: { id } }) => {
  const row = await certificateOrFail(db, id)
  const issuedLetters = await listLettersOfCertificate(db, { certificateId: id })
  const letters = { valid: 0, withdrawn: 0, superseded: 0 }
  for (const letter of issuedLetters) letters[letterStatus({ letter, certificate: row })]++
  const upload = row.uploadSeq === null ? undefined : await findUploadOf(db, { seq: row.uploadSeq })
  const isDeleted = row.deletedAt !== null
  const certificate: CertificateDetail = {
    ...certificateOf(row),
    state: isDeleted ? 'deleted' : 'current',
    deleted_at: isoOrNull(row.deletedAt),
    deleted_by: await findDeletionActor(db, row),
    purge_on: row.deletedAt === null ? null : purgeDayOf(row.deletedAt, issuedLetters.length > 0),
  }
  return {
    certificate,
    upload: upload
      ? {
          id: upload.id,
          filename: upload.filename,
          uploader_email: displayEmail(upload.uploaderEmail),
          created_at: iso(upload.createdAt),
        }
      : null,
    letters,
    verifications: await countVerifications(db, { number: row.certificateNumber }),
  }
}

/**
 * Returns the upload that created a certificate, as a change; empty if it was not created by an upload. Uploads store no change
 * for new certificates, because the upload itself has the actor and the time.
 */
async function findUploadAsChange(
  db: Reader,
  { uploadSeq, uploadedAt }: StoredCertificate,
): Promise<Change[]> {
  const upload = uploadSeq === null ? undefined : await findUploadOf(db, { seq: uploadSeq })
  if (!upload) return []
  const actor = { id: upload.uploaderId, email: displayEmail(upload.uploaderEmail) }
  const source = { kind: 'upload', id: upload.id, label: upload.filename } as const
  return [{ version: 1, action: 'created', at: iso(uploadedAt), actor, source, reason: null, changes: [] }]
}

/**
 * Lists the recorded changes of a certificate, newest first. A purged certificate has no page; its remaining changes are
 * in the list of all changes to the register.
 */
export const history: Handler<Domain['history']> = async ({ db: { read: db }, params: { id }, query }) => {
  const { page, per_page: limit } = query
  const row = await certificateOrFail(db, id)
  const offset = (page - 1) * limit
  const { rows, total } = await listChangesOf(db, { kind: KIND, recordId: id, offset, limit })
  const creation = await findUploadAsChange(db, row)
  const isLastPage = offset <= total && total < offset + limit
  return {
    changes: [...rows.map(toChange), ...(isLastPage ? creation : [])],
    pagination: paginate(page, limit, total + creation.length),
  }
}

/** Returns the letters of a certificate, newest first. */
export const letters: Handler<Domain['letters']> = async ({ db: { read: db }, params: { id }, query }) => {
  const { page, per_page: limit } = query
  const certificate = await certificateOrFail(db, id)
  const { length: total } = await listLettersOfCertificate(db, { certificateId: id })
  const rows = await listLetterPage(db, { certificateId: id, offset: (page - 1) * limit, limit })
  return {
    letters: rows.map(letter => ({
      code: letter.code,
      ref_number: letter.refNumber,
      issued_at: iso(letter.issuedAt),
      status: letterStatus({ letter, certificate }),
      addressee: verificationTemplate.parse(letter.template).recipient.company,
      checks: letter.checks,
    })),
    pagination: paginate(page, limit, total),
  }
}
