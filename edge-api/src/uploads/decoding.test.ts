import { describe, expect, it } from 'vitest'
import { decode } from './decoding.ts'

async function* splitIntoPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function decodeText(bytes: Uint8Array, size = 100_000): Promise<string> {
  let text = ''
  for await (const piece of (await decode(splitIntoPieces(bytes, size))).pieces) text += piece
  return text
}

const name = 'Adébáyọ̀ Ọláṣẹ́ńí ₦5,000'
const utf16 = (text: string, bigEndian: boolean, mark: boolean) => {
  const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}
/** Puts enough ASCII text before the bytes that they are not in the first chunk. */
const afterAsciiText = (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(200_000, 'a,b\n'), bytes])

describe('decode', () => {
  it.each([
    ['UTF-8', Buffer.from(name)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${name}`)],
    ['UTF-16 LE with a byte order mark', utf16(name, false, true)],
    ['UTF-16 BE with a byte order mark', utf16(name, true, true)],
  ])('reads %s', async (_, bytes) => {
    for (const size of [1, 3, 1000]) expect(await decodeText(bytes, size)).toBe(name)
  })

  it.each([false, true])('UTF-16 without a byte order mark is detected, big endian %j', async bigEndian => {
    const header = 'certificate_number,student_name\n'
    expect(await decodeText(utf16(header + name, bigEndian, false))).toBe(header + name)
  })

  it('bytes that are not valid UTF-8 are kept', async () => {
    const bytes = Buffer.from([0x41, 0x64, 0xe9, 0x20, 0x80])
    expect(await decodeText(bytes)).toBe('Ad\udce9 \udc80')
    expect(await decodeText(afterAsciiText(bytes))).toMatch(/Ad\udce9 \udc80$/)
  })

  it('UTF-8 is detected even if its first non-ASCII character comes late and is split between chunks', async () => {
    const bytes = afterAsciiText(Buffer.from(name))
    for (const size of [65_536, 65_537, 199_999, 200_003])
      expect(await decodeText(bytes, size)).toMatch(`\n${name}`)
  })

  it('a damaged UTF-8 character affects only itself, even at the end', async () => {
    const bytes = Buffer.concat([Buffer.from(name), Buffer.from([0xff]), Buffer.from(name)])
    expect(await decodeText(bytes)).toBe(`${name}\udcff${name}`)
    expect(await decodeText(bytes.subarray(0, 3))).toBe('Ad\udcc3')
  })
})

it('an archive is refused', async () => {
  await expect(decodeText(Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14]))).rejects.toMatchObject({
    code: 'INVALID_CSV',
  })
})
