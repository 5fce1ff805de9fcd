import { onConflicts, uploadStates } from '@portal/contract/admin-uploads'
import type { UploadField } from '@portal/contract/upload-columns'
import { dateOrders } from '@portal/contract/upload-dates'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, time } from './columns.ts'

/** The second line of `folded`, the name, as indexed: an index only serves exactly this expression. */
export const FOLDED_NAME =
  'substr(folded, instr(folded, char(10)) + 1, instr(substr(folded, instr(folded, char(10)) + 1), char(10)) - 1)'

export const certificates = sqliteTable(
  'certificates',
  {
    /** Their order, and their key in the search index: newest first is highest first. */
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
    /** Set instead of deleting the row, which is purged 90 days later unless letters were issued for it. */
    withdrawnAt: time('withdrawn_at'),
    /** Number, name and course, folded for the search. The index only contains certificates that are in the register. */
    folded: text().notNull(),
    /** Increases by one with each change of content, deletion and restoration. */
    version: integer().notNull().default(1),
    /** The upload that added it (`uploads.seq`); null for one that was added manually, or before this was recorded. */
    uploadSeq: integer('upload_seq'),
  },
  table => [
    // A withdrawn certificate keeps its history, and its number may be used again.
    uniqueIndex('certificates_number').on(table.certificateNumber).where(sql`withdrawn_at is null`),
    // Pages of the list are counted here: narrow, and in their order.
    index('certificates_standing').on(table.seq).where(sql`withdrawn_at is null`),
    // Filters of the list, in the order of `seq` within a value. With `withdrawn_at` they cover the count of the facets.
    index('certificates_by_course').on(table.course, table.withdrawnAt).where(sql`withdrawn_at is null`),
    index('certificates_by_department')
      .on(table.department, table.withdrawnAt)
      .where(sql`withdrawn_at is null`),
    index('certificates_by_grade').on(table.grade, table.withdrawnAt).where(sql`withdrawn_at is null`),
    index('certificates_by_graduation').on(table.graduationDate).where(sql`withdrawn_at is null`),
    index('certificates_by_day').on(table.uploadedAt).where(sql`withdrawn_at is null`),
    index('certificates_by_uploader').on(table.uploaderEmail).where(sql`withdrawn_at is null`),
    // Deleted ones too: a revert reports them.
    index('certificates_by_upload').on(table.uploadSeq).where(sql`upload_seq is not null`),
    index('certificates_by_matric')
      .on(sql`upper(matric_number)`)
      .where(sql`withdrawn_at is null and matric_number is not null`),
    index('certificates_by_name').on(sql.raw(FOLDED_NAME)).where(sql`withdrawn_at is null`),
    // Deleted certificates that can no longer be restored are purged by this time.
    index('certificates_withdrawn').on(table.withdrawnAt).where(sql`withdrawn_at is not null`),
  ],
)

export type CertificateRow = typeof certificates.$inferSelect

// The trigram index over `folded` is the virtual table `certificate_search` of the migration `uploads`; triggers maintain it.

/** Uploads of certificates, kept permanently. */
export const uploads = sqliteTable(
  'uploads',
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    uploaderId: text('uploader_id').notNull(),
    uploaderEmail: text('uploader_email').notNull(),
    /** Address of the request that started it, for its entries in the activity log. */
    ipAddress: text('ip_address'),
    filename: text().notNull(),
    dryRun: flag('dry_run').notNull(),
    onConflict: text('on_conflict', { enum: onConflicts }).notNull(),
    /** The chosen date order; null if none was chosen. */
    dateOrder: text('date_order', { enum: dateOrders }),
    /** Fields for which the file has a column, and the names of its other columns; null until its header was read. */
    recognisedColumns: text('recognised_columns', { mode: 'json' }).$type<UploadField[]>(),
    ignoredColumns: text('ignored_columns', { mode: 'json' }).$type<string[]>(),
    state: text({ enum: uploadStates }).notNull(),
    /** Rows of the file; null until it has arrived completely. */
    total: integer(),
    /** Number of processed rows: if the process of an import dies, another one continues from here. */
    processed: integer().notNull().default(0),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** Dry runs only: valid letters that the updates would make out of date. */
    lettersAffected: integer('letters_affected').notNull().default(0),
    error: text(),
    cancelRequested: flag('cancel_requested').notNull().default(false),
    /** Lease, renewed by the process that works on the upload; after it expires, another process continues. */
    leaseUntil: time('lease_until'),
    /** True while rows are staged that are no longer needed. */
    untidy: flag('untidy').notNull().default(true),
    /** False for uploads from before its certificates and updates were recorded: they cannot be reverted. */
    recorded: flag('recorded').notNull().default(false),
    createdAt: time('created_at').notNull(),
    finishedAt: time('finished_at'),
  },
  table => [index('uploads_open').on(table.leaseUntil).where(sql`untidy`)],
)

/**
 * Valid rows of uploads until they are in the register, a few thousand in one value, because most rows are only
 * read once, together. Those that are changed one by one are unpacked into `upload_rows` first.
 */
export const uploadBatches = sqliteTable('upload_batches', {
  /** ID of its first row, as in `upload_rows`. */
  id: integer().primaryKey(),
  /** ID of its last row. */
  lastId: integer('last_id').notNull(),
  /** `StagedRow[]` (`uploads/store.ts`) as JSON. */
  rows: text().notNull(),
  /** The rows of `upload_reports` if all of them are new; null if an earlier release staged them. */
  report: text(),
})

/**
 * Rows of uploads. A valid row is stored here or in a batch until it is in the register; the first failed ones stay, as they were in the
 * file. The key is the upload's `seq` and the row's place (`uploads/places.ts`), so that chunks are ranges and no index is
 * needed.
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
  /** ID of the row that may have the same number, further up in the file. */
  firstId: integer('first_id'),
  /** `unchanged` or `updated`; null for a row that is new. */
  outcome: text({ enum: ['unchanged', 'updated'] }),
  changes: text(),
  error: text(),
})

/**
 * Outcomes of rows that are not stored with their values, one chunk per row: `[line, number, outcome, changes or error][]` as
 * JSON.
 */
export const uploadReports = sqliteTable(
  'upload_reports',
  {
    uploadSeq: integer('upload_seq').notNull(),
    /** ID of the chunk's last row. */
    lastId: integer('last_id').notNull(),
    rows: text().notNull(),
  },
  table => [primaryKey({ columns: [table.uploadSeq, table.lastId] })],
)
