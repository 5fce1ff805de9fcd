import {
  type adminSettlements,
  type DifferenceState,
  MAX_SETTLEMENT_FILE_BYTES,
  type Settlement,
  type SettlementDifference,
  type SettlementUpload,
} from '@portal/contract/admin-settlements'
import { paginate } from '@portal/contract/shapes'
import { counted } from '@portal/format/counted'
import { toMajor } from '@portal/format/money'
import { formatCount } from '@portal/format/numbers'
import { settlementMessages, uploadMessages } from '@portal/rules/messages'
import { Fault, invalidField } from '../fault.ts'
import { openFilePart } from '../http/multipart.ts'
import { type Call, type HandlersOf, withCsv } from '../http/serve.ts'
import { recordChange } from '../logs/record-change.ts'
import { periodOf } from '../logs/rules.ts'
import { decode } from '../uploads/decoding.ts'
import { iso, isoOrNull, majorOrNull } from '../wire.ts'
import {
  countDifferences,
  type DifferenceFilter,
  type DifferenceRow,
  type DifferenceView,
  explainDifference,
  findDifference,
  listDifferences,
} from './difference-store.ts'
import { receiveReport } from './receive.ts'
import { type ReportFile, readReportFile } from './report-file.ts'
import {
  countSettlements,
  findSettlement,
  listLines,
  listSettlements,
  type SettlementFilter,
  type SettlementRow,
} from './store.ts'

type Domain = typeof adminSettlements

/** Number of rows that an export reads per query, and maximum number of omitted rows that are listed with a reason. */
const EXPORT_BATCH = 500
const MAX_ERRORS = 1000

const toSettlement = ({
  settlement: row,
  open,
}: {
  settlement: SettlementRow
  open: number
}): Settlement => ({
  id: row.id,
  provider: row.provider,
  reference: row.reference,
  settled_on: iso(row.settledAt),
  currency: row.currency,
  lines: row.lines,
  amount: toMajor(row.amountMinor),
  fees: toMajor(row.feeMinor),
  net: toMajor(row.netMinor),
  stated: majorOrNull(row.statedTotalMinor),
  source: row.source,
  file_name: row.fileName,
  by_email: row.byEmail,
  created_at: iso(row.createdAt),
  open_differences: open,
})

const differenceStateOf = ({ explainedAt, resolvedAt }: DifferenceRow): DifferenceState =>
  explainedAt !== null ? 'explained' : resolvedAt !== null ? 'resolved' : 'open'

const toSettlementDifference = ({
  difference: row,
  transactionId,
  settlementReference,
}: DifferenceView): SettlementDifference => ({
  id: row.id,
  kind: row.kind,
  state: differenceStateOf(row),
  provider: row.provider,
  reference: row.reference,
  settlement_id: row.settlementId,
  settlement_reference: settlementReference,
  transaction_id: transactionId,
  currency: row.currency,
  expected: majorOrNull(row.expectedMinor),
  found: majorOrNull(row.foundMinor),
  found_at: iso(row.foundAt),
  resolved_at: isoOrNull(row.resolvedAt),
  explained_at: isoOrNull(row.explainedAt),
  explained_by: row.explainedBy,
  note: row.note,
})

const toSettlementFilter = ({ query }: Call<Domain['list']>): SettlementFilter => {
  const { from, before } = periodOf(query)
  return { provider: query.provider, from, before }
}

async function list(call: Call<Domain['list']>) {
  const { page, per_page: limit } = call.query
  const filter = toSettlementFilter(call)
  const rows = await listSettlements(call.db.read, { ...filter, limit, offset: (page - 1) * limit })
  const total = await countSettlements(call.db.read, filter)
  return { settlements: rows.map(toSettlement), pagination: paginate(page, limit, total) }
}

async function* exportList(call: Call<Domain['list']>) {
  const filter = toSettlementFilter(call)
  for (let offset = 0; ; offset += EXPORT_BATCH) {
    const rows = await listSettlements(call.db.read, { ...filter, limit: EXPORT_BATCH, offset })
    yield rows.map(toSettlement)
    if (rows.length < EXPORT_BATCH) return
  }
}

async function lines({ db, params, query }: Call<Domain['lines']>) {
  const { page, per_page: limit } = query
  const settlement = await findSettlement(db.read, params)
  if (!settlement) throw new Fault('NOT_FOUND', { message: 'There is no such settlement.' })
  const rows = await listLines(db.read, { settlementId: settlement.id, limit, offset: (page - 1) * limit })
  const open = await countOpenDifferences(db.read, settlement.id)
  return {
    settlement: toSettlement({ settlement, open }),
    lines: rows.map(({ line, transactionId }) => ({
      id: line.id,
      kind: line.kind,
      reference: line.reference,
      transaction_id: transactionId,
      amount: toMajor(line.amountMinor),
      fee: majorOrNull(line.feeMinor),
      net: toMajor(line.netMinor),
    })),
    pagination: paginate(page, limit, settlement.lines),
  }
}

const countOpenDifferences = (db: Call['db']['read'], settlementId?: string) =>
  countDifferences(db, { state: 'open', kind: undefined, search: '', settlementId })

/** Reads the uploaded file as text. @throws Fault `PAYLOAD_TOO_LARGE`, `INVALID_CSV`, or `VALIDATION_ERROR` without a file */
async function receiveText({ request }: Pick<Call<Domain['upload']>, 'request'>) {
  const part = await openFilePart(request, { name: 'file', limit: MAX_SETTLEMENT_FILE_BYTES })
  if (!part) throw invalidField('file', uploadMessages.noFile)
  try {
    let text = ''
    for await (const piece of (await decode(part.bytes)).pieces) text += piece
    return { text, fileName: part.filename }
  } catch (error) {
    await part.drain()
    throw error
  }
}

/** Returns the gateways for which staff can upload a report: those that are configured. */
const providersOf = ({ gateways }: Call['ports']) => Object.keys(gateways).toSorted()

async function upload(call: Call<Domain['upload']>): Promise<SettlementUpload> {
  const { provider, reference, settled_on: settledOn } = call.query
  if (!providersOf(call.ports).includes(provider))
    throw invalidField('provider', settlementMessages.noGateway)
  const { text, fileName } = await receiveText(call)
  const file = readReportFile(text, { provider, reference, settledOn })
  const at = call.ports.clock.now()
  const origin = { source: 'file', fileName, byEmail: call.user.email, at } as const
  let added = 0
  let open = 0
  for (const report of file.reports) {
    const received = await receiveReport(call.db, report, origin)
    added += received.added
    open += await countOpenDifferences(call.db.read, received.settlement.id)
  }
  const counts = summariseUpload(file, added)
  await call.db.write(tx =>
    recordChange(tx, call, {
      activity: 'Settlement report uploaded',
      details: `${fileName} of ${provider}: ${counted(counts.rows, 'row')}, ${formatCount(added)} added, ${formatCount(counts.failed)} with errors`,
    }),
  )
  return { ...counts, open_differences: open, errors: file.errors.slice(0, MAX_ERRORS) }
}

function summariseUpload({ rows, errors, reports }: ReportFile, added: number) {
  const failed = errors.length
  const unchanged = rows - failed - added
  const message = added === 0 && failed === 0 ? settlementMessages.nothingNew : settlementMessages.matched
  return { message, rows, added, unchanged, failed, settlements: reports.length }
}

const toDifferenceFilter = ({ query }: Call<Domain['differences']>): DifferenceFilter => ({
  state: query.state,
  kind: query.kind,
  search: query.search.trim(),
})

async function differences(call: Call<Domain['differences']>) {
  const { page, per_page: limit } = call.query
  const filter = toDifferenceFilter(call)
  const rows = await listDifferences(call.db.read, { ...filter, limit, offset: (page - 1) * limit })
  const total = await countDifferences(call.db.read, filter)
  return {
    differences: rows.map(toSettlementDifference),
    open: await countOpenDifferences(call.db.read),
    providers: providersOf(call.ports),
    pagination: paginate(page, limit, total),
  }
}

async function* exportDifferences(call: Call<Domain['differences']>) {
  const filter = toDifferenceFilter(call)
  for (let offset = 0; ; offset += EXPORT_BATCH) {
    const rows = await listDifferences(call.db.read, { ...filter, limit: EXPORT_BATCH, offset })
    yield rows.map(toSettlementDifference)
    if (rows.length < EXPORT_BATCH) return
  }
}

async function explain(call: Call<Domain['explain']>) {
  const { note } = call.body
  const explained = await call.db.write(async tx => {
    const found = await findDifference(tx, call.params)
    if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such difference.' })
    const { id, kind, reference } = found.difference
    await explainDifference(tx, { id, note, authorEmail: call.user.email, at: call.ports.clock.now() })
    await recordChange(tx, call, {
      activity: 'Settlement difference explained',
      details: `${reference}, ${kind.replaceAll('_', ' ')}: ${note}`,
    })
    return findDifference(tx, call.params)
  })
  if (!explained) throw new Error('a difference has disappeared')
  return { message: settlementMessages.explained, difference: toSettlementDifference(explained) }
}

export const settlementHandlers: HandlersOf<Domain> = {
  list: withCsv(list, exportList),
  lines,
  upload,
  differences: withCsv(differences, exportDifferences),
  explain,
}
