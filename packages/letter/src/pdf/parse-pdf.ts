import { inflateSync } from 'node:zlib'

/*
 * Parses PDFs produced by our own writer, only for the writer's tests: objects through the cross-reference table, and text
 * through each font's Unicode map.
 */

export interface ParsedPdf {
  /** Bodies of the objects by number, with streams decompressed. */
  objects: Map<number, { body: string; stream: string | undefined }>
  /** The page's text in the order in which it is drawn, with no spaces other than those in the PDF. */
  text: string
  /** Start of each text line, in points from the bottom left corner. */
  lineStarts: { x: number; y: number }[]
}

function parseObjects(bytes: Uint8Array): ParsedPdf['objects'] {
  const file = Buffer.from(bytes).toString('latin1')
  const tableOffset = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1])
  const [, count] = /^xref\n0 (\d+)\n/.exec(file.slice(tableOffset)) ?? []
  const entries = [...file.slice(tableOffset).matchAll(/^(\d{10}) 00000 n $/gm)]
  if (entries.length !== Number(count) - 1) throw new Error('the table does not list every object')
  const objects: ParsedPdf['objects'] = new Map()
  entries.forEach(([, offset], index) => {
    const objectStart = Number(offset)
    const head = `${index + 1} 0 obj\n`
    if (!file.startsWith(head, objectStart))
      throw new Error(`object ${index + 1} is not where the table says`)
    const end = file.indexOf('\nendobj\n', objectStart)
    const content = file.slice(objectStart + head.length, end)
    const streamAt = content.indexOf('>>\nstream\n')
    const body = streamAt < 0 ? content : content.slice(0, streamAt + 2)
    const raw = streamAt < 0 ? undefined : content.slice(streamAt + 10, -'\nendstream'.length)
    const isCompressed = raw !== undefined && body.includes('/FlateDecode')
    const stream = isCompressed ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1') : raw
    objects.set(index + 1, { body, stream })
  })
  return objects
}

const utf16 = (hex: string) =>
  (hex.match(/.{4}/g) ?? []).map(unit => String.fromCharCode(Number.parseInt(unit, 16))).join('')

/**
 * Parses a PDF produced by our own writer.
 * @throws Error for an invalid cross-reference table
 */
export function parsePdf(bytes: Uint8Array): ParsedPdf {
  const objects = parseObjects(bytes)
  const bodyOf = (ref: string | undefined) => objects.get(Number(ref))
  const page = [...objects.values()].find(({ body }) => body.includes('/Type/Page/'))?.body ?? ''
  const maps = new Map<string, Map<string, string>>()
  for (const [, name = '', ref] of (/\/Font<<(.*?)>>/.exec(page)?.[1] ?? '').matchAll(/\/(\w+) (\d+) 0 R/g)) {
    const unicode = bodyOf(/\/ToUnicode (\d+)/.exec(bodyOf(ref)?.body ?? '')?.[1])?.stream ?? ''
    const pairs = [...unicode.matchAll(/^<([0-9a-f]{4})> <([0-9a-f]+)>$/gm)]
    maps.set(name, new Map(pairs.map(([, code = '', text = '']) => [code, utf16(text)])))
  }
  const content = bodyOf(/\/Contents (\d+)/.exec(page)?.[1])?.stream ?? ''
  const lineStarts: ParsedPdf['lineStarts'] = []
  let [text, face, lines] = ['', new Map<string, string>(), 0]
  for (const line of content.split('\n')) {
    const lineStart = /^BT (?:[\d.-]+ ){4}([\d.-]+) ([\d.-]+) Tm$/.exec(line)
    if (lineStart) {
      lineStarts.push({ x: Number(lineStart[1]), y: Number(lineStart[2]) })
      if (lines++ > 0) text += '\n'
    }
    face = maps.get(/^\/(\w+) [\d.]+ Tf$/.exec(line)?.[1] ?? '') ?? face
    if (!line.endsWith(']TJ')) continue
    for (const [, codes = ''] of line.matchAll(/<([0-9a-f]+)>/g))
      for (const [code] of codes.matchAll(/.{4}/g)) text += face.get(code) ?? '\ufffd'
  }
  return { objects, text: text.normalize('NFC'), lineStarts }
}
