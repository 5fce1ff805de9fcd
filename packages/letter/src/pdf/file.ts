import { concat, deflate, encodeLatin1, toHex } from './bytes.ts'

/** The number of an object in the PDF. */
export type Ref = number
export const refTo = (ref: Ref): string => `${ref} 0 R`

/** Formats a number for PDF: without an exponent, and with no more decimals than are visible. */
export const formatNumber = (value: number): string => {
  const text = value.toFixed(3).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** Encodes a PDF text string: ASCII unchanged, anything else as UTF-16 with a byte order mark. */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, letter => `\\${letter}`)})`
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return `<feff${units.map(unit => unit.toString(16).padStart(4, '0')).join('')}>`
}

/** Formats a UTC time as `D:20260131235900Z`. */
export const dateString = (at: Date): string => `(D:${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z)`

/** Builds a PDF 1.7 file from numbered objects and the cross-reference table (ISO 32000-1). */
export class PdfFile {
  readonly #objects: (Uint8Array | undefined)[] = []

  /** Reserves the number of an object that is set later. */
  reserve(): Ref {
    return this.#objects.push(undefined)
  }

  set(ref: Ref, body: string): void {
    this.#objects[ref - 1] = encodeLatin1(body)
  }

  add(body: string): Ref {
    const ref = this.reserve()
    this.set(ref, body)
    return ref
  }

  /**
   * Adds a stream.
   * @param entries the entries of its dictionary, without `/Length`
   * @param isCompressed true if the bytes are already encoded as `entries` state
   */
  async addStream(entries: string, bytes: Uint8Array<ArrayBuffer>, isCompressed = false): Promise<Ref> {
    const ref = this.reserve()
    const data = isCompressed ? bytes : await deflate(bytes)
    const dictionary = `<<${entries}${isCompressed ? '' : '/Filter/FlateDecode'}/Length ${data.length}>>`
    this.#objects[ref - 1] = concat([
      encodeLatin1(`${dictionary}\nstream\n`),
      data,
      encodeLatin1('\nendstream'),
    ])
    return ref
  }

  /** Returns the bytes of the file, and the offset of each object's body in them. */
  serialize(
    root: Ref,
    info: Ref,
    id: Uint8Array,
  ): { bytes: Uint8Array<ArrayBuffer>; offsetOf: (ref: Ref) => number } {
    const parts: Uint8Array[] = [encodeLatin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')]
    let length = parts[0]?.length ?? 0
    const write = (part: Uint8Array) => {
      parts.push(part)
      length += part.length
    }
    const starts: number[] = []
    const bodies: number[] = []
    this.#objects.forEach((body, index) => {
      if (!body) throw new Error(`Object ${index + 1} of the PDF was never written.`)
      starts.push(length)
      write(encodeLatin1(`${index + 1} 0 obj\n`))
      bodies.push(length)
      write(body)
      write(encodeLatin1('\nendobj\n'))
    })
    const xrefOffset = length
    const entries = starts.map(start => `${String(start).padStart(10, '0')} 00000 n \n`)
    const size = starts.length + 1
    write(encodeLatin1(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`))
    const ids = `<${toHex(id)}>`
    write(
      encodeLatin1(
        `trailer\n<</Size ${size}/Root ${refTo(root)}/Info ${refTo(info)}/ID[${ids}${ids}]>>\nstartxref\n${xrefOffset}\n%%EOF\n`,
      ),
    )
    return { bytes: concat(parts), offsetOf: ref => bodies[ref - 1] ?? 0 }
  }
}
