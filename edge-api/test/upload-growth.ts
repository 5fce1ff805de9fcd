import { stat } from 'node:fs/promises'
import path from 'node:path'
import { FULL_TEST_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../src/db/database.ts'
import { openFile } from '../src/db/file-client.ts'
import { releaseFreePages } from '../src/db/free-space.ts'
import { eventually, request, staffToken } from './portal.ts'
import { type RunningPortal, startPortal } from './servers/portal-server.ts'

/* Measures the space that uploads of invalid rows leave in the database file, after the scheduled jobs have freed space. */

const HEADER = 'certificate_number,student_name,matric_number,course,graduation_date,grade,department\n'

/** Invalid lines, by the reason why they take space. */
export const JUNK = {
  'short lines': (line: number) => `${line},not a certificate\n`,
  'long cells': (line: number) =>
    `${Array(7)
      .fill(`${line} ${'x'.repeat(280)}`)
      .join(',')}\n`,
  'many cells': (line: number) => `${line},${'x,'.repeat(60)}\n`,
  'stray quotation marks': (line: number) => `"UG/2019/${line}, ${'never closed '.repeat(4)}\n`,
} as const
export type Junk = keyof typeof JUNK

export function makeJunk(kind: Junk, bytes: number): string {
  const lines = [HEADER]
  for (let size = 0, line = 2; size < bytes; line++) {
    const text = JUNK[kind](line)
    lines.push(text)
    size += text.length
  }
  return lines.join('')
}

export interface GrowthResult {
  state: string
  rows: number
  failed: number
  /** Number of lines in the report, without its header. */
  lines: number
  /** Sizes in bytes: of the database file before and after, and of the report. */
  before: number
  after: number
  report: number
}

export class GrowingPortal {
  readonly #portal: RunningPortal
  readonly #token: string
  readonly #file: string

  private constructor(portal: RunningPortal, token: string) {
    this.#portal = portal
    this.#token = token
    this.#file = path.join(portal.folder, 'portal.db')
  }

  static async start(): Promise<GrowingPortal> {
    const portal = await startPortal()
    return new GrowingPortal(portal, await staffToken('admin', portal))
  }

  stop = () => this.#portal.stop()

  /** Returns the size of the file once no upload is in progress, after the scheduled work that returns free pages. */
  async #size(): Promise<number> {
    const database = openDatabase(openFile(this.#file, { timeout: 5000 }), { serialiseWrites: true })
    try {
      await eventually(
        async () => {
          const unfinished = await database.read.all(sql`select 1 from uploads where untidy limit 1`)
          return unfinished.length === 0 ? true : undefined
        },
        'no upload in progress',
        FULL_TEST_TIMEOUT_MS,
      )
      while ((await releaseFreePages(database)) > 0);
      await database.client.execute('pragma wal_checkpoint(truncate)')
    } finally {
      database.close()
    }
    return (await stat(this.#file)).size
  }

  #call = (method: string, address: string) =>
    request(method, `/admin/certificates/uploads${address}`, { token: this.#token, portal: this.#portal })

  /**
   * Uploads `text`.
   * @param ending how the upload ends: completed, cancelled as soon as its ID is known, or interrupted after half of the file
   */
  async upload(text: string, ending: 'done' | 'cancelled' | 'interrupted' = 'done'): Promise<GrowthResult> {
    const before = await this.#size()
    if (ending === 'interrupted') await this.#interrupt(text).catch(() => undefined)
    else await this.#send(text, { cancel: ending === 'cancelled' })
    const upload = await eventually(
      async () => {
        const { body } = await this.#call('GET', '?per_page=1')
        return body.uploads[0].finished_at === null ? undefined : body.uploads[0]
      },
      'the end of the upload',
      FULL_TEST_TIMEOUT_MS,
    )
    const after = await this.#size()
    const { body: report } = await this.#call('GET', `/${upload.id}/report`)
    return {
      state: upload.state,
      rows: upload.processed,
      failed: upload.failed,
      lines: report.split('\r\n').length - 2,
      before,
      after,
      report: report.length,
    }
  }

  async #send(text: string, { cancel }: { cancel: boolean }): Promise<void> {
    const body = new FormData()
    body.append('file', new File([text], 'junk.csv'))
    const response = await fetch(`${this.#portal.url}/api/admin/certificates/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, accept: 'application/x-ndjson' },
      body,
    })
    let received = ''
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      received += chunk
      const id = /"upload_id":"([^"]+)"/.exec(received)?.[1]
      if (!cancel || id === undefined) continue
      await this.#call('DELETE', `/${id}`)
      cancel = false
    }
  }

  /** Sends half of the file and closes the connection. */
  async #interrupt(text: string): Promise<void> {
    const formHeader = '--B\r\nContent-Disposition: form-data; name="file"; filename="junk.csv"\r\n\r\n'
    const half = new TextEncoder().encode(formHeader + text.slice(0, text.length / 2))
    await fetch(`${this.#portal.url}/api/admin/certificates/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'multipart/form-data; boundary=B',
      },
      body: half,
    })
  }
}
