import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { buildLetter } from '../model.ts'
import type { ImageFile } from './image.ts'
import { buildLetterPdf, type LetterPdfInput, sealPdf, signedBytes } from './letter-pdf.ts'
import { parsePdf } from './parse-pdf.ts'

const NAME = 'Adébáyọ̀ Ọláṣẹ́ńí ₦5,000.00'
const code = 'ABCDEFGHJKMN'
const url = `https://verify.example/letters/${code}`
const letter = { code, url, status: 'valid' as const }

const templateFor = (student_name: string, address = 'Zenith Talent Ltd, 12 Marina Road, Lagos') =>
  buildLetter({
    institution: { name: 'Ìmọ́lẹ̀ University', address: 'Senate House, Ọ̀ṣun State', logo: null },
    letterHolder: { name: 'Ngozi Okafor', address },
    certificate: {
      certificate_number: 'UG/2019/00123',
      student_name,
      course: 'B.Sc. Computer Science',
      grade: 'Second Class Honours (Upper Division)',
      graduation_date: '2019-07-31',
    },
    refNumber: 'CV/2026/7M2K9QXA',
    issuedAt: new Date('2026-01-31T12:00:00Z'),
    signature: {
      name: 'Dr. Olúfúnkẹ́ Balógun',
      title: 'Deputy Registrar',
      for: 'Registrar',
      email: 'registrar@example.test',
      signature_image: null,
      stamp_image: null,
    },
  })

const makeInput = (changes: Partial<LetterPdfInput> = {}): LetterPdfInput => ({
  template: templateFor(NAME),
  letter,
  issuedAt: new Date('2026-01-31T12:00:00Z'),
  images: { logo: null, signature: null, stamp: null },
  credential: 'head.payload.signature',
  signedAt: new Date('2026-02-01T08:00:00Z'),
  ...changes,
})
const makePdf = async (changes?: Partial<LetterPdfInput>) => (await buildLetterPdf(makeInput(changes))).bytes
const normaliseText = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ')

describe('the letter as PDF', () => {
  test('contains every word as text that can be extracted, with marks and the naira sign', {
    tags: ['LETTER-7'],
  }, async () => {
    const { text } = parsePdf(await makePdf())
    const { header, recipient, subject, content, signature } = templateFor(NAME)
    const expectedTexts = [
      ...[header.institution, header.address, header.ref_number, header.date],
      ...[recipient.company, ...recipient.address, subject, content.opening, content.closing, content.thanks],
      ...[content.certificate_details.name, content.certificate_details.degree],
      ...[content.certificate_details.class, content.certificate_details.date],
      ...[signature.name, signature.title, `For: ${signature.for}`, signature.email],
      ...['OFFICIAL', 'STAMP', 'verify.example/letters', 'ABCD-EFGH-JKMN'],
    ]
    for (const expected of expectedTexts) expect(normaliseText(text)).toContain(normaliseText(expected))
  })

  test('uses another font for other alphabets, and keeps unsupported characters as extractable text', async () => {
    const { text, objects } = parsePdf(await makePdf({ template: templateFor('Musa Ɗanladi Ƙaura Жуков') }))
    expect(text).toContain('Musa Ɗanladi')
    expect(text).toContain('Жуков')
    expect([...objects.values()].some(({ body }) => body.includes('+NotoSerif'))).toBe(true)
    const unsupported = parsePdf(await makePdf({ template: templateFor('王 Obi') }))
    const drawn = [...unsupported.objects.values()].map(({ stream }) => stream ?? '').join('')
    expect(drawn).toContain('/ActualText<feff738b>')
  })

  test('is tagged with language, title, heading, table header and alternative text', {
    tags: ['LETTER-7'],
  }, async () => {
    const { objects } = parsePdf(await makePdf())
    const source = [...objects.values()].map(({ body }) => body).join('\n')
    for (const part of [
      '/Lang(en)',
      '/MarkInfo<</Marked true>>',
      '/DisplayDocTitle true',
      '/Tabs/S',
      '/S/H1/',
      '/S/Table/',
      '/O/Table/Scope/Column',
      `/Alt(QR code of ${url})`,
      '/AFRelationship/Alternative',
      '/SubFilter/ETSI.CAdES.detached',
      '/TransformMethod/DocMDP',
    ]) {
      expect(source).toContain(part)
    }
    expect(source).toContain('/Title(Verification letter CV/2026/7M2K9QXA)')
    // All drawn content either belongs to the structure or is an artifact.
    const content = [...objects.values()].find(({ stream }) => stream?.includes('BT '))?.stream ?? ''
    const [opened, closed] = [/(?:BDC|BMC)$/gm, /^EMC$/gm].map(item => content.match(item)?.length)
    expect(opened).toBe(closed)
    const ids = [...content.matchAll(/\/MCID (\d+)/g)].map(([, id]) => Number(id))
    expect(ids).toEqual(ids.map((_, index) => index))
  })

  test('reserves space for its signature, which covers everything else', async () => {
    const unsigned = await buildLetterPdf(makeInput())
    const { bytes, range } = unsigned
    const [start, firstLength, secondOffset, secondLength] = range
    expect([start, secondOffset + secondLength]).toEqual([0, bytes.length])
    expect(String.fromCharCode(bytes[firstLength] ?? 0, bytes[secondOffset - 1] ?? 0)).toBe('<>')
    expect(signedBytes(unsigned).length).toBe(firstLength + secondLength)
    const sealed = sealPdf(unsigned, Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0xff))
    expect(Buffer.from(sealed.subarray(firstLength, firstLength + 11)).toString()).toBe('<30030201ff')
    expect(sealed.length).toBe(bytes.length)
    expect(() => sealPdf(unsigned, new Uint8Array(5000))).toThrow('does not fit')
  })

  test('is smaller than 150 kB, and identical for the same input', async () => {
    const [first, second] = [await makePdf(), await makePdf()]
    expect(first.length).toBeLessThan(150_000)
    expect(Buffer.compare(first, second)).toBe(0)
  })

  test('puts the status of a letter that is no longer valid first in the reading order', async () => {
    const { text, objects } = parsePdf(await makePdf({ letter: { ...letter, status: 'withdrawn' } }))
    // The status is drawn last, although it is first in the structure.
    expect(text).toMatch(/\nWITHDRAWN$/)
    const root = [...objects.values()].find(({ body }) => body.includes('/S/Document/'))
    const first = objects.get(Number(/\/K\[(\d+) 0 R/.exec(root?.body ?? '')?.[1]))
    const content = [...objects.values()].find(({ stream }) => stream?.includes('BT '))?.stream ?? ''
    const last = [...content.matchAll(/\/MCID (\d+)/g)].at(-1)?.[1]
    expect(first?.body).toContain(`/K[${last}]`)
  })

  test.each([
    ['a very long name', templateFor('Olúwádámiláre '.repeat(40))],
    ['a very long word', templateFor('Ọ'.repeat(400))],
    [
      'a long address',
      templateFor('Ada', `${'Company of Very Long Names '.repeat(20)}, ${'Road '.repeat(90)}`),
    ],
  ])('fits within the margins of one page with %s', { tags: ['LETTER-7'] }, async (_, template) => {
    const { lineStarts, objects } = parsePdf(await makePdf({ template }))
    for (const { x, y } of lineStarts) {
      expect(x).toBeGreaterThanOrEqual(35.9)
      expect(x).toBeLessThan(560)
      expect(y).toBeGreaterThan(36)
      expect(y).toBeLessThan(806)
    }
    expect([...objects.values()].filter(({ body }) => body.includes('/Type/Page/'))).toHaveLength(1)
  })
})

/** Creates a PNG of one colour type with unfiltered rows. */
function createPng(
  width: number,
  height: number,
  depth: number,
  colourType: number,
  rows: number[][],
  extraChunks: string[] = [],
) {
  const chunk = (type: string, data: Uint8Array) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4)
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const ihdr = Buffer.alloc(13)
  ihdr.writeUInt32BE(width)
  ihdr.writeUInt32BE(height, 4)
  ihdr.set([depth, colourType, 0, 0, 0], 8)
  const extra = extraChunks.map(item => chunk(item.slice(0, 4), Buffer.from(item.slice(4), 'latin1')))
  const data = deflateSync(Buffer.from(rows.flatMap(row => [0, ...row])))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Uint8Array.from(
    Buffer.concat([
      signature,
      chunk('IHDR', ihdr),
      ...extra,
      chunk('IDAT', data),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xff, 0xd9])
const toBytes = (value: string) => Uint8Array.from(Buffer.from(value))

describe('images', () => {
  const embedLogo = async (logo: ImageFile) => {
    const { objects } = parsePdf(await makePdf({ images: { logo, signature: null, stamp: null } }))
    return [...objects.values()].filter(({ body }) => body.includes('/Type/XObject'))
  }

  test('embeds a PNG with its colours and transparency', async () => {
    const images = await embedLogo({
      type: 'image/png',
      bytes: createPng(2, 1, 8, 6, [[1, 2, 3, 255, 4, 5, 6, 0]]),
    })
    const [mask, picture] = images.map(({ stream }) => Buffer.from(stream ?? '', 'latin1'))
    expect([...(mask ?? [])]).toEqual([255, 0])
    // A fully transparent pixel is white.
    expect([...(picture ?? [])]).toEqual([1, 2, 3, 255, 255, 255])
  })

  test('reduces a large PNG by averaging its pixels', async () => {
    // Two black columns, then two white columns, and so on.
    const row = Array.from({ length: 2400 }, (_, index) => (index % 4 < 2 ? 0 : 255))
    const bytes = createPng(2400, 4, 8, 0, [row, row, row, row])
    const [picture] = await embedLogo({ type: 'image/png', bytes })
    expect(picture?.body).toContain('/Width 1200/Height 2/')
    const pixels = Buffer.from(picture?.stream ?? '', 'latin1')
    expect([...pixels.subarray(0, 9)]).toEqual([0, 0, 0, 255, 255, 255, 0, 0, 0])
  })

  test('converts palettes and samples of one bit to 8-bit colours', async () => {
    const palette = createPng(3, 1, 2, 3, [[0b00011000]], ['PLTE\x00\x00\x00\x0a\x0b\x0c\xff\xff\xff'])
    const [coloured] = await embedLogo({ type: 'image/png', bytes: palette })
    expect([...Buffer.from(coloured?.stream ?? '', 'latin1')]).toEqual([0, 0, 0, 10, 11, 12, 255, 255, 255])
    const [bits] = await embedLogo({ type: 'image/png', bytes: createPng(2, 1, 1, 0, [[0b01000000]]) })
    expect([...Buffer.from(bits?.stream ?? '', 'latin1')]).toEqual([0, 0, 0, 255, 255, 255])
  })

  test('embeds a JPEG unchanged', async () => {
    const [picture] = await embedLogo({ type: 'image/jpeg', bytes: jpeg })
    expect(picture?.body).toContain('/Width 3/Height 2/ColorSpace /DeviceGray')
    expect(picture?.stream?.length).toBe(jpeg.length)
  })

  test('embeds an SVG as vector graphics', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><title>Logo</title><g fill="#f00"><rect width="4" height="2"/><circle cx="5" cy="5" r="2" fill="none" stroke="black" style="stroke-width:.5"/></g></svg>'
    const [drawing] = await embedLogo({ type: 'image/svg+xml', bytes: toBytes(svg) })
    expect(drawing?.body).toContain('/BBox[0 0 10 10]')
    expect(drawing?.stream).toContain('1 0 0 rg\n0 0 m\n4 0 l\n4 2 l\n0 2 l\nh\nf')
    expect(drawing?.stream).toContain('0 0 0 RG 0.5 w')
  })

  test.each<[string, ImageFile]>([
    ['a truncated PNG', { type: 'image/png', bytes: createPng(40, 40, 8, 2, [[1]]) }],
    ['text labelled as PNG', { type: 'image/png', bytes: toBytes('nothing') }],
    ['text labelled as JPEG', { type: 'image/jpeg', bytes: toBytes('nothing') }],
    [
      'an SVG that contains an image',
      { type: 'image/svg+xml', bytes: toBytes('<svg viewBox="0 0 1 1"><image/></svg>') },
    ],
    ['HTML labelled as SVG', { type: 'image/svg+xml', bytes: toBytes('<html>') }],
  ])('leaves out %s, so that the emblem is drawn', async (_, logo) => {
    expect(await embedLogo(logo)).toEqual([])
  })
})
