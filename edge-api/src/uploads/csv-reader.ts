/** One record of a CSV file. */
export interface CsvRecord {
  /** Line of the text on which the record begins, from 1. */
  line: number
  cells: string[]
  /** Set when quotation marks do not close: `cells` then is the line as it stands. */
  damaged?: true
}

/** A quoted field that is not closed within so many characters is a stray quotation mark. */
const MAX_QUOTED = 64 * 1024
/** Longest line, in characters: far beyond seven fields, and little to hold. */
const MAX_LINE = 1024 * 1024

/** Thrown for a line that is too long to be a row of anything. */
export class LineTooLong extends Error {
  readonly line: number
  constructor(line: number) {
    super(`Line ${line} is too long.`)
    this.line = line
  }
}

const separators = [',', ';', '\t'] as const

/** The separator that occurs most often in a header line outside quotation marks; a comma when none does. */
function separatorOf(header: string): string {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '')
  const counts = separators.map(separator => bare.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

function countBreaks(text: string, from: number, to: number): number {
  let breaks = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) breaks++
  return breaks
}

/**
 * Reads CSV (RFC 4180) piece by piece: comma, semicolon or tab, whichever the first line uses; lines that end in LF,
 * CRLF or CR; quoted fields with line breaks in them. A stray quotation mark damages its own line and no other.
 */
export class CsvReader {
  #text = ''
  #line = 1
  #separator: string | undefined
  #onlyCarriageReturns = false;

  /** @returns the records that `text` completes @throws LineTooLong */
  *push(text: string): Generator<CsvRecord> {
    this.#text += this.#onlyCarriageReturns ? text.replaceAll('\r', '\n') : text
    yield* this.#records(false)
  }

  /** @returns what is left when the file has ended, as records */
  *end(): Generator<CsvRecord> {
    yield* this.#records(true)
  }

  *#records(ended: boolean): Generator<CsvRecord> {
    if (this.#separator === undefined && !this.#begin(ended)) return
    const separator = this.#separator ?? ','
    const text = this.#text
    let position = 0
    let quote = text.indexOf('"')
    while (position < text.length) {
      const brk = text.indexOf('\n', position)
      if (brk < 0 && !ended) break
      const end = brk < 0 ? text.length : brk
      if (quote >= 0 && quote < position) quote = text.indexOf('"', position)
      if (quote < 0 || quote > end) {
        yield { line: this.#line, cells: withoutReturn(text, position, end).split(separator) }
        this.#line++
        position = end + 1
        continue
      }
      const read = readQuoted(text, position, separator, ended)
      if (read === undefined) break
      if (read === 'damaged') {
        yield { line: this.#line, cells: [withoutReturn(text, position, end)], damaged: true }
        this.#line++
        position = end + 1
        continue
      }
      yield { line: this.#line, cells: read.cells }
      this.#line += 1 + countBreaks(text, position, read.end)
      position = read.end + 1
    }
    this.#text = text.slice(position)
    if (this.#text.length > MAX_LINE) throw new LineTooLong(this.#line)
  }

  /** Learns from the first line what separates fields and lines. @returns false while that line is not whole */
  #begin(ended: boolean): boolean {
    const brk = /\r\n?|\n/.exec(this.#text)
    // A carriage return at the very end may be half of a line break.
    if (!ended && (!brk || (brk[0] === '\r' && brk.index === this.#text.length - 1))) {
      if (this.#text.length > MAX_LINE) throw new LineTooLong(this.#line)
      return false
    }
    const first = brk ? this.#text.slice(0, brk.index) : this.#text
    if (brk?.[0] === '\r') {
      this.#onlyCarriageReturns = true
      this.#text = this.#text.replaceAll('\r', '\n')
    }
    // Excel's own way of naming the separator, on a line before the header.
    this.#separator = /^sep=(.)$/i.exec(first)?.[1] ?? separatorOf(first)
    return true
  }
}

const withoutReturn = (text: string, from: number, end: number) =>
  text.slice(from, text.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end)

/**
 * Reads a record that has quotation marks in it.
 * @returns its cells and where its line break stands; undefined when its end has not arrived
 */
function readQuoted(
  text: string,
  start: number,
  separator: string,
  ended: boolean,
): { cells: string[]; end: number } | 'damaged' | undefined {
  const unfinished = () => (ended || text.length - start > MAX_QUOTED ? 'damaged' : undefined)
  const cells: string[] = []
  let at = start
  for (;;) {
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1)
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
      if (close < 0 || close - start > MAX_QUOTED) return unfinished()
      // Whether this mark closes the field, the next character says.
      if (close + 1 === text.length && !ended) return undefined
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'))
      at = close + 1
      if (text[at] === '\r' && at + 1 === text.length && !ended) return undefined
      if (text[at] === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)) at++
      if (text[at] !== separator && text[at] !== '\n' && at < text.length) return 'damaged'
    } else {
      const brk = text.indexOf('\n', at)
      const next = text.indexOf(separator, at)
      if (brk < 0 && next < 0 && !ended) return undefined
      const end = Math.min(brk < 0 ? text.length : brk, next < 0 ? text.length : next)
      cells.push(end === next ? text.slice(at, end) : withoutReturn(text, at, end))
      at = end
    }
    if (at >= text.length || text[at] === '\n') return { cells, end: Math.min(at, text.length) }
    at++
  }
}
