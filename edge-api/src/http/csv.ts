import type { CsvFile } from '@portal/contract/route'
import { type CsvValue, csvLine, csvRecord } from '@portal/format/csv'
import { toIsoDate } from '@portal/format/dates'

export type CsvRows = AsyncIterable<readonly Readonly<Record<string, CsvValue>>[]>

type CsvName = Pick<CsvFile, 'file'> & { day?: string | undefined }

interface Options {
  /** The current time in milliseconds; the file's name contains its day. */
  now: number
  /** Called once, after the last row has been sent or the client has disconnected. */
  onEnd: () => void
  onError: (error: unknown) => void
}

export interface CsvResponse {
  body: ReadableStream<Uint8Array>
  headers: Record<string, string>
}

/** Returns the headers of a CSV response. */
export const csvHeaders = ({ file, day }: CsvName, now: number): Record<string, string> => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="${file}_${day ?? toIsoDate(now)}.csv"`,
})

/**
 * Streams rows as a CSV file, in batches and as fast as the client reads, so that a list of millions is never in memory as a
 * whole. The first batch is read before the response begins, so that a failure until then still produces an error response.
 */
export async function createCsvResponse(
  file: CsvFile & CsvName,
  rows: CsvRows,
  options: Options,
): Promise<CsvResponse> {
  const batches = rows[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let next = await batches.next().catch(error => {
    options.onEnd()
    throw error
  })
  const toCsvLines = (batch: readonly Readonly<Record<string, CsvValue>>[]) =>
    batch.map(row => csvRecord(row, file)).join('')

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine(file.columns)))
    },
    async pull(controller) {
      try {
        if (next.done) {
          controller.close()
          options.onEnd()
          return
        }
        controller.enqueue(encoder.encode(toCsvLines(next.value)))
        next = await batches.next()
      } catch (error) {
        // The response has already begun, so aborting it is the only way to signal that the file is incomplete.
        options.onError(error)
        options.onEnd()
        controller.error(error)
      }
    },
    async cancel() {
      await batches.return?.()
      options.onEnd()
    },
  })
  return { body, headers: csvHeaders(file, options.now) }
}

/**
 * Describes the filters of an export for the log, e.g. `course: Law, sort: student_name`. Page parameters are left out, because
 * they do not affect the file.
 */
export const describeFilters = ({ page: _, per_page: __, ...filters }: Record<string, string>): string =>
  Object.entries(filters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
