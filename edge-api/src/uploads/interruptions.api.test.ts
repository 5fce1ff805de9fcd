import type { Upload } from '@portal/contract/admin-uploads'
import { makeCertificate } from '@portal/fixtures/factories'
import { describe, expect, test } from 'vitest'
import { eventually, request, sharedPortal, staffToken } from '../../test/portal.ts'
import { startPortal } from '../../test/servers/portal-server.ts'
import { HEADER, setUpUploads, toCsvFile } from '../../test/uploads.ts'
import { LARGE_UPLOAD_ROWS } from './search-index-store.ts'

/* Tests uploads that are refused, interrupted, abandoned or cancelled. */

const { call, findCertificates, upload, getToken } = setUpUploads()

test('a file that is cut off changes nothing, and is listed as interrupted', async () => {
  const fields = makeCertificate()
  const cut = `--B\r\nContent-Disposition: form-data; name="file"; filename="cut.csv"\r\n\r\n${toCsvFile(fields)}\n`
  const response = await request('POST', '/admin/certificates/upload', {
    token: getToken(),
    body: new Uint8Array(Buffer.from(cut)),
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  })
  expect(response.status).toBe(400)
  const interrupted = await eventually(async () => {
    const { body } = await call('GET', '/admin/certificates/uploads')
    return body.uploads.find(
      (upload: Upload) => upload.filename === 'cut.csv' && upload.state === 'interrupted',
    )
  }, 'an interrupted upload')
  expect(interrupted).toMatchObject({ total: null, processed: 0 })
  expect(await findCertificates(fields.certificate_number)).toEqual([])
})

test('a file that is cancelled while it is being received changes nothing, and leaves no rows', {
  tags: ['DATA-20'],
}, async () => {
  const rows = Array.from({ length: 5000 }, () => makeCertificate())
  const text = `--B\r\nContent-Disposition: form-data; name="file"; filename="stopped.csv"\r\n\r\n${toCsvFile(...rows)}\r\n--B--`
  const cancellation = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, text.length / 2)))
      await cancellation.promise
      controller.enqueue(Buffer.from(text.slice(text.length / 2)))
      controller.close()
    },
  })
  const pending = fetch(`${sharedPortal().url}/api/admin/certificates/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${getToken()}`, 'content-type': 'multipart/form-data; boundary=B' },
    body,
    duplex: 'half',
  } as RequestInit)
  const listUploads = async () =>
    (await call('GET', '/admin/certificates/uploads')).body.uploads.find(
      (item: Upload) => item.filename === 'stopped.csv',
    )
  const { id } = await eventually(listUploads, 'an upload that arrives')
  await call('DELETE', `/admin/certificates/uploads/${id}`)
  cancellation.resolve()
  expect((await pending).status).toBe(400)
  const ended = await eventually(
    async () => ((await listUploads()).state === 'receiving' ? undefined : await listUploads()),
    'its end',
  )
  expect(ended).toMatchObject({ state: 'cancelled', processed: 0, created: 0 })
  expect((await call('GET', `/admin/certificates/uploads/${id}/rows`)).body.report).toEqual([])
  for (const row of [rows[0], rows.at(-1)])
    expect(await findCertificates(row?.certificate_number ?? '')).toEqual([])
})

test('a file that could not be read is listed with the reason', async () => {
  await upload('a,b,c', { name: 'wrong.csv' })
  const upload_ = await eventually(async () => {
    const { body } = await call('GET', '/admin/certificates/uploads')
    return body.uploads.find((item: Upload) => item.filename === 'wrong.csv' && item.state === 'failed')
  }, 'a failed upload')
  expect(upload_.error).toBe('The first line must name the columns of the template.')
})

test('an upload beyond the limits for rows or bytes is refused with the limit, and changes nothing', async () => {
  const portal = await startPortal({ UPLOAD_MAX_ROWS: '3', UPLOAD_MAX_BYTES: '5000' })
  try {
    const upload = async (content: string) => {
      const body = new FormData()
      body.append('file', new File([content], 'many.csv'))
      return request('POST', '/admin/certificates/upload', {
        token: await staffToken('admin', portal),
        body,
        portal: portal,
      })
    }
    const rows = Array.from({ length: 4 }, () => makeCertificate())
    expect(await upload(toCsvFile(...rows.slice(1)))).toMatchObject({ status: 201 })
    const refused = [await upload(toCsvFile(...rows)), await upload(`${HEADER}\n${'x'.repeat(6000)}`)]
    for (const [index, figure] of ['3 rows', '5,000 bytes'].entries()) {
      expect(refused[index]).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
      expect(JSON.stringify(refused[index]?.body)).toContain(figure)
    }
  } finally {
    await portal.stop()
  }
})

describe('an upload continues', () => {
  const makeSheet = (rows: number) => toCsvFile(...Array.from({ length: rows }, () => makeCertificate()))

  /** Starts an upload and disconnects at the first line of progress. @returns its ID */
  async function disconnectMidway(content: string): Promise<string> {
    const body = new FormData()
    body.append('file', new File([content], 'left.csv'))
    const controller = new AbortController()
    const response = await fetch(`${sharedPortal().url}/api/admin/certificates/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${getToken()}`, accept: 'application/x-ndjson' },
      body,
      signal: controller.signal,
    })
    const first = await response.body?.getReader().read()
    controller.abort()
    return JSON.parse(new TextDecoder().decode(first?.value).split('\n')[0] ?? '').upload_id
  }

  const waitForEnd = (id: string) =>
    eventually(async () => {
      const { body } = await call('GET', `/admin/certificates/uploads/${id}`)
      return body.upload.finished_at === null ? undefined : body.upload
    }, 'the end of the upload')

  test('after the caller disconnects', async () => {
    const id = await disconnectMidway(makeSheet(12_000))
    expect(await waitForEnd(id)).toMatchObject({ state: 'done', total: 12_000, created: 12_000 })
  })

  test('until it is cancelled; certificates that were already added stay', async () => {
    // A large upload may be imported in a single transaction, so this one is smaller.
    const ROWS = LARGE_UPLOAD_ROWS - 1
    const id = await disconnectMidway(makeSheet(ROWS))
    const response = await call('DELETE', `/admin/certificates/uploads/${id}`)
    expect(response.status).toBe(200)
    const upload_ = await waitForEnd(id)
    expect(upload_).toMatchObject({ state: 'cancelled', total: ROWS })
    expect(upload_.processed).toBe(upload_.created)
    expect(upload_.processed).toBeLessThan(ROWS)
    const secondReply = await call('DELETE', `/admin/certificates/uploads/${id}`)
    expect(secondReply.body.message).toBe('This upload has already ended.')
  })
})
