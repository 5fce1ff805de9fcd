import { institutionDay } from '@portal/contract/graduation-date'
import { uploadFields } from '@portal/contract/upload-columns'
import type { CertificateFields } from '@portal/fixtures/certificates'
import { personas } from '@portal/fixtures/personas'
import type { Tx } from '../db/database.ts'
import { uploadReports, uploadRows, uploads } from '../db/schema/certificates.ts'
import { rowId } from '../uploads/row-keys.ts'
import { readRow } from '../uploads/rows.ts'

/** Lines of the demo's file that are rejected, each because of a typical error. */
const REJECTED_ROWS: readonly { line: number; change: Partial<CertificateFields> }[] = [
  { line: 118, change: { certificate_number: '2016' } },
  { line: 402, change: { student_name: '' } },
  { line: 760, change: { graduation_date: '31/02/2017' } },
]

/** Adds the upload that filled the demo's register, with its report. @param register the certificates, oldest first */
export async function insertDemoUpload(
  db: Tx,
  {
    register,
    startedAt,
    finishedAt,
  }: { register: CertificateFields[]; startedAt: number; finishedAt: number },
): Promise<void> {
  const rejectedLines = new Set<number>(REJECTED_ROWS.map(({ line }) => line))
  const total = register.length + REJECTED_ROWS.length
  // The header is line 1.
  const lines = Array.from({ length: total }, (_, index) => index + 2).filter(
    line => !rejectedLines.has(line),
  )
  const [upload] = await db
    .insert(uploads)
    .values({
      id: crypto.randomUUID(),
      uploaderId: personas.admin.id,
      uploaderEmail: personas.admin.email,
      filename: 'register_of_graduates.csv',
      dryRun: false,
      onConflict: 'fail',
      recognisedColumns: [...uploadFields],
      ignoredColumns: [],
      state: 'done',
      total,
      processed: total,
      created: register.length,
      failed: REJECTED_ROWS.length,
      untidy: false,
      createdAt: startedAt,
      finishedAt,
    })
    .returning({ seq: uploads.seq })
  const [sample] = register
  if (!upload || !sample) return
  await db.insert(uploadReports).values({
    uploadSeq: upload.seq,
    lastId: rowId(upload.seq, total),
    rows: JSON.stringify(
      register.map(({ certificate_number }, index) => [lines[index] ?? 0, certificate_number, null, null]),
    ),
  })
  await db.insert(uploadRows).values(
    REJECTED_ROWS.map(({ line, change }) => {
      const fields = { ...sample, certificate_number: `UG/2017/0${9000 + line}`, ...change }
      const { values, error } = readRow(
        uploadFields.map(column => fields[column] ?? ''),
        {
          columnMap: uploadFields.map((_, index) => index),
          width: uploadFields.length,
          dateOrder: 'dmy',
          today: institutionDay(startedAt),
        },
      )
      const [
        number = '',
        student = '',
        matric = '',
        course = '',
        graduated = '',
        grade = '',
        department = '',
      ] = values
      return {
        id: rowId(upload.seq, line - 1),
        line,
        certificateNumber: number,
        studentName: student,
        matricNumber: matric || null,
        course,
        graduationDate: graduated,
        grade,
        department,
        error,
      }
    }),
  )
}
