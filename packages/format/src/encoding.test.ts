import { describe, expect, test } from 'vitest'
import { asWindows1252, decodeText, FileEncoding, incompleteBytesAtEnd, readUtf8 } from './encoding.ts'

const encodeLatin1 = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0))
const encodeUtf8 = (text: string) => new TextEncoder().encode(text)

test.each([
  ['UTF-8', [0x41, 0xc3, 0xa9]],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x41, 0xc3, 0xa9]],
  ['UTF-16, low byte first', [0xff, 0xfe, 0x41, 0x00, 0xe9, 0x00]],
  ['UTF-16, high byte first', [0xfe, 0xff, 0x00, 0x41, 0x00, 0xe9]],
  ['Windows-1252', [0x41, 0xe9]],
])('decodes %s', (_, bytes) => expect(decodeText(new Uint8Array(bytes))).toBe('Aé'))

test('escapes bytes that are not UTF-8, and keeps the characters around them', () => {
  for (const text of ['Ọláńrewájú', '₦5', '𝒜', 'é', '\ud7ff\ue000']) {
    const bytes = new Uint8Array([
      ...encodeUtf8(text),
      0xe9,
      ...encodeUtf8(text),
      0xc0,
      0x80,
      0xed,
      0xa0,
      0x80,
    ])
    const decoded = readUtf8(bytes)
    expect(decoded.startsWith(`${text}\udce9${text}`)).toBe(true)
    expect(asWindows1252(decoded.slice(text.length, text.length + 1))).toBe('é')
  }
})

test('agrees with the runtime’s decoder on which sequences of four bytes are UTF-8', () => {
  const boundaryBytes = [
    0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
  ]
  const bytes = [...boundaryBytes, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff]
  const escapedBytes = /[\udc80-\udcff]/u
  for (const a of bytes)
    for (const b of bytes)
      for (const c of bytes)
        for (const d of [0x41, 0x80, 0xbf]) {
          const sequence = new Uint8Array([a, b, c, d])
          const isUtf8 = !new TextDecoder().decode(sequence).includes('\ufffd')
          expect(!escapedBytes.test(readUtf8(sequence)), sequence.join()).toBe(isUtf8)
        }
})

test('detects a truncated character, wherever it was cut', () => {
  for (const text of ['aé', 'aọ', 'a𝒜']) {
    const bytes = encodeUtf8(text)
    for (let length = 1; length <= bytes.length; length++) {
      const truncated = bytes.subarray(0, length)
      expect(incompleteBytesAtEnd(truncated)).toBe(length === bytes.length ? 0 : length - 1)
    }
  }
})

/** Passes the rows of a file to `FileEncoding` in order, and returns what it detects. */
function detectEncoding(...rows: Uint8Array[]) {
  const encoding = new FileEncoding()
  const readings = rows.map((row, index) => encoding.observe(readUtf8(row), index + 1))
  return { readings, mixed: encoding.mixed, misreadLine: encoding.misreadLine }
}

describe('FileEncoding', () => {
  test('recognises UTF-8, and Windows-1252 with common names and symbols', () => {
    expect(detectEncoding(encodeUtf8('Ada'), encodeUtf8('Ọláńrewájú'))).toMatchObject({
      mixed: false,
      misreadLine: undefined,
    })
    const names = ['Zo\xe9 O\x92Brien', '\x93Femi\x94 Ad\xe9', 'Fran\xe7ois\x96Xavier', 'Cr\xe9\xe9e \x80 5']
    const symbols = [
      'D\xfcrr, 2\xaa classe',
      '\xabAd\xe9\xbb',
      'N\xba 5, M\xaa Jos\xe9',
      '\x8akoda',
      'Sm\xf8rrebr\xf8d',
      'Fianc\xe9e\x85',
    ]
    expect(detectEncoding(...[...names, ...symbols].map(encodeLatin1))).toMatchObject({
      mixed: false,
      misreadLine: undefined,
    })
  })

  test('detects that rows have different encodings', () => {
    expect(detectEncoding(encodeLatin1('Zo\xe9'), encodeUtf8('Ọlá'), encodeUtf8('Ada'))).toEqual({
      readings: ['not utf-8', 'utf-8', 'ascii'],
      mixed: true,
      misreadLine: undefined,
    })
  })

  test('detects that one row mixes two encodings', () => {
    for (const row of ['ANDR\xc9\x94 Zo\xe9', 'Zo\xe9 \xe1\xbb\x8cl\xc3\xa1'])
      expect(detectEncoding(encodeUtf8('Ada'), encodeLatin1(row))).toEqual({
        readings: ['ascii', 'not utf-8'],
        mixed: true,
        misreadLine: undefined,
      })
  })

  test('reports a row that is valid in both encodings as ambiguous', () => {
    expect(detectEncoding(encodeLatin1('ANDR\xc9\x94'), encodeLatin1('Zo\xe9'))).toMatchObject({
      readings: ['utf-8 or windows-1252', 'not utf-8'],
      mixed: true,
    })
    for (const name of ['Kɔfi', 'Àdùnní', 'Ọ̀ṣun', 'voilà', 'Ångström', 'Ñandú', 'Ẹniọlá', 'ɔbɛ'])
      expect(detectEncoding(encodeUtf8(name)).readings).toEqual(['utf-8'])
  })

  test.each([
    ['UTF-8 that is cut off', [0x41, 0xe1, 0xbb]],
    ['UTF-8 that is cut off', [0x41, 0xe1, 0xba]],
    ['Mac Roman', [0x4a, 0x6f, 0x73, 0x8e]],
    ['Mac Roman', [0x4d, 0x75, 0x96, 0x6f, 0x7a]],
    ['Mac Roman', [0x46, 0x72, 0x61, 0x6e, 0x8d, 0x6f, 0x69, 0x73]],
    ['Mac Roman', [0x4d, 0x9f, 0x6c, 0x6c, 0x65, 0x72]],
    ['code page 850', [0x4a, 0x6f, 0x73, 0x82]],
    ['code page 850', [0x47, 0x94, 0x64, 0x65, 0x6c]],
    ['code page 1250', [0xa3, 0x75, 0x6b, 0x61, 0x73, 0x7a]],
    ['ISO 8859-2', [0x57, 0x61, 0xb3, 0xea, 0x73, 0x61]],
    ['Windows-1251', [0xc8, 0xe2, 0xe0, 0xed, 0xee, 0xe2]],
    ['GB 18030', [0xcd, 0xf5, 0xd0, 0xa1, 0xc3, 0xf7]],
    ['Shift JIS', [0x93, 0x63, 0x92, 0x86, 0x81, 0x41]],
    ...[0x81, 0x8d, 0x8f, 0x90, 0x9d].map((byte): [string, number[]] => ['an undefined byte', [0x41, byte]]),
  ])('%s is not taken for Windows-1252: %j', (_, bytes) => {
    expect(detectEncoding(encodeUtf8('Ada'), new Uint8Array(bytes)).misreadLine).toBe(2)
  })
})
