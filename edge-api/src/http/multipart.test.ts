import { describe, expect, it } from 'vitest'
import { openFilePart } from './multipart.ts'

/** Returns a request whose body arrives in pieces of `size` bytes. */
function requestOf(body: Uint8Array, { size = 7, type = 'multipart/form-data; boundary=XyZ' } = {}): Request {
  let offset = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (offset >= body.length) controller.close()
      else controller.enqueue(new Uint8Array(body.subarray(offset, offset + size)))
      offset += size
    },
  })
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { 'content-type': type },
  }
  return new Request('http://portal.test/', init)
}

const body = (content: Uint8Array, prefix = '') =>
  Buffer.concat([
    Buffer.from(`${prefix}--XyZ\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--XyZ\r\n`),
    Buffer.from(
      'Content-Disposition: form-data; name="file"; filename="a \\"b\\".csv"\r\nContent-Type: text/csv\r\n\r\n',
    ),
    content,
    Buffer.from('\r\n--XyZ--\r\n'),
  ])

async function fileOf(request: Request, limit = 10_000) {
  const part = await openFilePart(request, { name: 'file', limit })
  if (!part) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of part.bytes) pieces.push(Buffer.from(piece))
  return { name: part.filename, content: Buffer.concat(pieces) }
}

describe('a file field', () => {
  // These bytes resemble the delimiter without being one.
  const content = Buffer.from('a,b\r\n--Xy\r\n--X\r\n\0\u00e9\r\n\r\n-')

  it.each([1, 2, 3, 5, 13, 1000])('is found in a body that arrives in pieces of %i bytes', async size => {
    const found = await fileOf(requestOf(body(content), { size }))
    expect(found).toEqual({ name: 'a "b".csv', content })
  })

  it('may come after 50 other fields, but not after 1,000', { tags: ['QUALITY-56'] }, async () => {
    const fields = (count: number) =>
      '--XyZ\r\nContent-Disposition: form-data; name="other"\r\n\r\nhello\r\n'.repeat(count)
    const readAfter = (count: number) =>
      fileOf(requestOf(body(content, fields(count)), { size: 1000 }), 100_000)
    expect(await readAfter(50)).toMatchObject({ content })
    await expect(readAfter(1000)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('may come after a preamble, or be empty', async () => {
    expect(await fileOf(requestOf(body(content, 'ignored\r\n')))).toMatchObject({ content })
    expect(await fileOf(requestOf(body(Buffer.alloc(0))))).toMatchObject({ content: Buffer.alloc(0) })
  })

  it.each([
    [
      'unquoted parameters, as .NET writes them',
      "form-data; name=file; filename=a.csv; filename*=utf-8''b.csv",
      'a.csv',
    ],
    [
      'an unquoted filename that contains a space',
      'form-data; name=file; filename=the list.csv',
      'the list.csv',
    ],
    [
      'only an extended filename',
      `form-data; name="file"; filename*=UTF-8''r%C3%A9sum%C3%A9.csv`,
      'résumé.csv',
    ],
    [
      'an extended filename with an invalid encoding',
      `form-data; name="file"; filename*=UTF-8''50%.csv`,
      '50%.csv',
    ],
    ['spaces around the equals signs', 'form-data ; name = "file" ; filename = "a.csv"', 'a.csv'],
    ['mixed letter case, and the name last', 'Form-Data; FileName="a.csv"; NAME="file"', 'a.csv'],
    [
      'a filename that contains a parameter',
      'form-data; name="file"; filename="a; name=b.csv"',
      'a; name=b.csv',
    ],
  ])('is found if its header has %s', async (_, disposition, name) => {
    const requestBody = `--XyZ\r\nContent-Disposition: ${disposition}\r\n\r\na,b\r\n--XyZ--\r\n`
    expect(await fileOf(requestOf(Buffer.from(requestBody)))).toEqual({ name, content: Buffer.from('a,b') })
  })

  it('is undefined if no file was chosen', async () => {
    const none = '--XyZ\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--XyZ--\r\n'
    expect(await fileOf(requestOf(Buffer.from(none)))).toBeUndefined()
    expect(await fileOf(requestOf(Buffer.from('--XyZ--\r\n')))).toBeUndefined()
  })
})

describe('a body is refused', () => {
  it('that is not multipart', async () => {
    for (const type of ['application/json', 'multipart/form-data', 'multipart/mixed; boundary=XyZ']) {
      await expect(fileOf(requestOf(body(Buffer.alloc(3)), { type }))).rejects.toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
      })
    }
  })

  it('that is too large, even if no header declares its length', { tags: ['QUALITY-37'] }, async () => {
    await expect(fileOf(requestOf(body(Buffer.alloc(20_000))))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    })
  })

  it('that ends too early', async () => {
    const whole = body(Buffer.from('a,b'))
    for (const cut of [10, 60, whole.length - 9]) {
      await expect(fileOf(requestOf(whole.subarray(0, cut)))).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        fields: { file: 'The upload is incomplete. Please try again.' },
      })
    }
  })
})
