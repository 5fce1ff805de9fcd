import { onConflicts, uploadStates } from '@portal/contract/admin-uploads'
import type { UploadField } from '@portal/contract/upload-columns'
import { dateOrders } from '@portal/contract/upload-dates'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'

/**
 * SQL for the folded name (the second line of `folded`), exactly as it is indexed: the index is used only for queries with the
 * same expression.
 */
export const FOLDED_NAME =
  'substr(folded, instr(folded, char(10)) + 1, instr(substr(folded, instr(folded, char(10)) + 1), char(10)) - 1)'

export const certificates = sqliteTable(
  'certificates',
  {
    /** Position in the order of creation (the newest certificate has the highest number), and key in the search index. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    certificateNumber: text('certificate_number').notNull(),
    studentName: text('student_name').notNull(),
    matricNumber: text('matric_number'),
    course: text().notNull(),
    graduationDate: text('graduation_date').notNull(),
    grade: text().notNull(),
    department: text().notNull(),
    uploaderEmail: text('uploader_email'),
    uploadedAt: time('uploaded_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** Set when the certificate is deleted. The row is purged 90 days later, unless letters were issued for it. */
    deletedAt: time('withdrawn_at'),
    /**
     * Folded number, name and course for the search. The search index only contains certificates that are in the
     * register.
     */
    folded: text().notNull(),
    /** Incremented with each change of content, deletion and restoration. */
    version: integer().notNull().default(1),
    /** The upload that added the certificate (`uploads.seq`); null if it was added manually, or before this column existed. */
    uploadSeq: integer('upload_seq'),
  },
  table => [
    // Unique only among certificates in the register: a withdrawn one keeps its number, which may be used again.
    uniqueIndex('certificates_number').on(table.certificateNumber).where(sql`withdrawn_at is null`),
    // The register's list counts its rows with this index, which is narrow and in the list's order.
    index('certificates_standing').on(table.seq).where(sql`withdrawn_at is null`),
    // Indexes for the list's filters. The rows with the same value are in the order of `seq`. Because the indexes include
    // `withdrawn_at`, they are covering indexes for counting the facets.
    index('certificates_by_course').on(table.course, table.deletedAt).where(sql`withdrawn_at is null`),
    index('certificates_by_department')
      .on(table.department, table.deletedAt)
      .where(sql`withdrawn_at is null`),
    index('certificates_by_grade').on(table.grade, table.deletedAt).where(sql`withdrawn_at is null`),
    index('certificates_by_graduation').on(table.graduationDate).where(sql`withdrawn_at is null`),
    index('certificates_by_day').on(table.uploadedAt).where(sql`withdrawn_at is null`),
    index('certificates_by_uploader').on(table.uploaderEmail).where(sql`withdrawn_at is null`),
    // Includes deleted certificates, because a revert reports them.
    index('certificates_by_upload').on(table.uploadSeq).where(sql`upload_seq is not null`),
    index('certificates_by_matric')
      .on(sql`upper(matric_number)`)
      .where(sql`withdrawn_at is null and matric_number is not null`),
    index('certificates_by_name').on(sql.raw(FOLDED_NAME)).where(sql`withdrawn_at is null`),
    // Finds deleted certificates that can no longer be restored, for the purge.
    index('certificates_withdrawn').on(table.deletedAt).where(sql`withdrawn_at is not null`),
  ],
)

export type CertificateRow = typeof certificates.$inferSelect

// The trigram index over `folded` is the virtual table `certificate_search` of the migration
// `0001_counters_and_search`; triggers keep it up to date.

/** Uploads of certificates, kept permanently. */
export const uploads = sqliteTable(
  'uploads',
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    uploaderId: text('uploader_id').notNull(),
    uploaderEmail: text('uploader_email').notNull(),
    /** IP address of the request that started the upload, for the upload's entries in the activity log. */
    ipAddress: text('ip_address'),
    filename: text().notNull(),
    dryRun: flag('dry_run').notNull(),
    onConflict: text('on_conflict', { enum: onConflicts }).notNull(),
    /** The chosen date order; null if none was chosen. */
    dateOrder: text('date_order', { enum: dateOrders }),
    /** Fields for which the file has a column, and the names of its other columns; null until the header has been read. */
    recognisedColumns: text('recognised_columns', { mode: 'json' }).$type<UploadField[]>(),
    ignoredColumns: text('ignored_columns', { mode: 'json' }).$type<string[]>(),
    state: text({ enum: uploadStates }).notNull(),
    /** Number of rows in the file; null until the whole file has been received. */
    total: integer(),
    /** Number of processed rows. If the importing process dies, another one continues from there. */
    processed: integer().notNull().default(0),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** Dry runs only: the number of valid letters that the updates would supersede if they were made. */
    lettersAffected: integer('letters_affected').notNull().default(0),
    error: text(),
    cancelRequested: flag('cancel_requested').notNull().default(false),
    /** Lease, renewed by the process that works on the upload. After it expires, another process continues the upload. */
    leaseUntil: time('lease_until'),
    /** True while staged rows of the upload may still need to be deleted. */
    untidy: flag('untidy').notNull().default(true),
    /** False for old uploads, whose certificates and changes were not recorded: they cannot be reverted. */
    recorded: flag('recorded').notNull().default(false),
    createdAt: time('created_at').notNull(),
    finishedAt: time('finished_at'),
  },
  table => [index('uploads_open').on(table.leaseUntil).where(sql`untidy`)],
)

/**
 * Valid rows of uploads until they are in the register. One database row contains a few thousand of them, because most are read
 * only once, all together. Those that must be changed one by one are first moved to `upload_rows`.
 */
export const uploadBatches = sqliteTable('upload_batches', {
  /** Key of the batch's first row, in the numbering of `upload_rows`. */
  id: integer().primaryKey(),
  /** Key of the batch's last row. */
  lastId: integer('last_id').notNull(),
  /** `StagedRow[]` (`uploads/row-batch.ts`) as JSON. */
  rows: text().notNull(),
  /**
   * The batch's rows in the format of `upload_reports`, used if all of them are new; null if an earlier release staged the
   * batch.
   */
  report: text(),
})

/**
 * Rows of uploads. A valid row is stored here or in a batch until it is in the register. The first rows with errors are kept as
 * they were in the file. The key combines the upload's `seq` and the row's position (`uploads/row-keys.ts`), so that a chunk is
 * a range of keys and needs no further index.
 */
export const uploadRows = sqliteTable('upload_rows', {
  id: integer().primaryKey(),
  /** Line of the file; the header is line 1. */
  line: integer().notNull(),
  certificateNumber: text('certificate_number').notNull(),
  studentName: text('student_name').notNull(),
  matricNumber: text('matric_number'),
  course: text().notNull(),
  graduationDate: text('graduation_date').notNull(),
  grade: text().notNull(),
  department: text().notNull(),
  folded: text(),
  /** Key of an earlier row of the file that may have the same certificate number. */
  firstId: integer('first_id'),
  /** `unchanged` or `updated`; null for a new certificate. */
  outcome: text({ enum: ['unchanged', 'updated'] }),
  changes: text(),
  error: text(),
})

/**
 * Outcomes of rows whose values are not kept, one chunk per database row: `[line, number, outcome, changes or error][]` as
 * JSON.
 */
export const uploadReports = sqliteTable(
  'upload_reports',
  {
    uploadSeq: integer('upload_seq').notNull(),
    /** Key of the chunk's last row. */
    lastId: integer('last_id').notNull(),
    rows: text().notNull(),
  },
  table => [primaryKey({ columns: [table.uploadSeq, table.lastId] })],
)
