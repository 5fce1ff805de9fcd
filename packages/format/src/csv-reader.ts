/** One record of a CSV file. */
export interface CsvRecord {
  /** Line on which the record begins, from 1. */
  line: number
  cells: string[]
  /** Set if the quotation marks are unbalanced; `cells` then contains only the raw line. */
  damaged?: true
}

/** Maximum length of a quoted field in characters; the opening quotation mark of a longer one is treated as stray. */
const MAX_QUOTED_LENGTH = 64 * 1024
/** Maximum length of a line in characters: far more than seven fields need, and still cheap to buffer. */
const MAX_LINE_LENGTH = 1024 * 1024
/**
 * Minimum number of columns for telling rows from lines within a quoted field; with fewer, such lines look like rows too often.
 */
const ROW_CELLS = 4

/** Thrown for content that is not CSV; names the line and the reason. */
export class NotCsv extends Error {
  readonly line: number
  readonly reason: 'too long' | 'nul'
  constructor(line: number, reason: 'too long' | 'nul') {
    super(`Line ${line}: ${reason}`)
    this.line = line
    this.reason = reason
  }
}

const separators = [',', ';', '\t'] as const

/** Returns the separator that is most frequent outside quotation marks in a header line; a comma if there is none. */
function detectSeparator(header: string): string {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '')
  const counts = separators.map(separator => bare.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

const LINE_BREAK = /\r\n|\r|\n/
const linesIn = (text: string) => text.split(LINE_BREAK)

/**
 * Incremental reader for CSV (RFC 4180). The separator is a comma, semicolon or tab, whichever the header uses; lines end with
 * LF, CRLF or CR; quoted fields may have several lines. A stray quotation mark affects only its own line.
 */
export class CsvReader {
  #text = ''
  #line = 1
  #separator: string | undefined
  /** Number of cells in the header, which is the first record that is not blank. */
  #width = 0
  /** Numbers of lines with the quotation mark that would have closed an earlier stray one. */
  readonly #strays = new Set<number>();

  /**
   * Reads further text.
   * @returns the records that are now complete
   * @throws NotCsv
   */
  *push(text: string): Generator<CsvRecord> {
    const nul = text.indexOf('\0')
    this.#text += nul < 0 ? text : text.slice(0, nul)
    yield* this.#records(false)
    if (nul >= 0) throw new NotCsv(this.#line + linesIn(this.#text).length - 1, 'nul')
  }

  /** Returns the remaining records at the end of the file. */
  *end(): Generator<CsvRecord> {
    yield* this.#records(true)
  }

  *#records(ended: boolean): Generator<CsvRecord> {
    const text = this.#text
    let position = 0
    let quote = text.indexOf('"')
    let carriage = text.indexOf('\r')
    while (position < text.length) {
      if (carriage >= 0 && carriage < position) carriage = text.indexOf('\r', position)
      const lineFeed = text.indexOf('\n', position)
      const lineEnd = carriage >= 0 && (lineFeed < 0 || carriage < lineFeed) ? carriage : lineFeed
      if (lineEnd < 0 && !ended) break
      // A carriage return at the end may be the first half of a line break.
      if (lineEnd === text.length - 1 && lineEnd === carriage && !ended) break
      const end = lineEnd < 0 ? text.length : lineEnd
      const next = end + (lineEnd === carriage && lineFeed === end + 1 ? 2 : 1)
      const separator = this.#separator ?? this.#begin(text.slice(position, end))
      if (separator === undefined) {
        this.#line++
        position = next
        continue
      }
      // A byte order mark in the middle of the file, as in concatenated files.
      const start = text.charCodeAt(position) === 0xfeff ? position + 1 : position
      if (quote >= 0 && quote < position) quote = text.indexOf('"', position)
      if (quote < 0 || quote > end) {
        yield this.#record(text.slice(start, end).split(separator))
        this.#line++
        position = next
        continue
      }
      const read = this.#strays.delete(this.#line) ? 'damaged' : readQuoted(text, start, separator, ended)
      if (read === undefined) break
      const lines = read === 'damaged' ? [] : linesIn(text.slice(start, read.end))
      if (read === 'damaged' || this.#swallows(lines, separator)) {
        if (lines.length > 0) this.#strays.add(this.#line + lines.length - 1)
        yield { line: this.#line, cells: [text.slice(start, end)], damaged: true }
        this.#line++
        position = next
        continue
      }
      yield this.#record(read.cells)
      this.#line += lines.length
      position = read.end + (text.startsWith('\r\n', read.end) ? 2 : 1)
    }
    this.#text = text.slice(position)
    if (this.#text.length > MAX_LINE_LENGTH) throw new NotCsv(this.#line, 'too long')
  }

  #record(cells: string[]): CsvRecord {
    if (this.#width === 0 && cells.some(cell => cell.trim() !== '')) this.#width = cells.length
    return { line: this.#line, cells }
  }

  /** Detects the separator from a line; returns undefined if the line is not the header. */
  #begin(line: string): string | undefined {
    // Excel can write a `sep=` line before the header.
    const declared = /^\ufeff?sep=(.)$/i.exec(line)?.[1]
    if (declared === undefined && line.trim() === '') return undefined
    this.#separator = declared ?? detectSeparator(line)
    return declared === undefined ? this.#separator : undefined
  }

  /**
   * True if the lines of a record look like rows themselves: they then have two stray quotation marks, and are not a field with
   * several lines.
   */
  #swallows(lines: readonly string[], separator: string): boolean {
    if (lines.length < 2 || this.#width < ROW_CELLS) return false
    const isRow = (line = '') => line.split(separator).length >= this.#width
    return lines.slice(1, -1).some(isRow) || (isRow(lines[0]) && isRow(lines.at(-1)))
  }
}

/**
 * Parses a record that contains quotation marks.
 * @returns its cells and the position of its line break; `damaged` if the quotation marks are unbalanced; undefined if the
 * record is incomplete
 */
function readQuoted(
  text: string,
  start: number,
  separator: string,
  ended: boolean,
): { cells: string[]; end: number } | 'damaged' | undefined {
  const unfinished = () => (ended || text.length - start > MAX_QUOTED_LENGTH ? 'damaged' : undefined)
  const cells: string[] = []
  const isBreak = (at: number) => text[at] === '\n' || text[at] === '\r'
  let at = start
  for (;;) {
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1)
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
      if (close < 0 || close - start > MAX_QUOTED_LENGTH) return unfinished()
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'))
      at = close + 1
      while (text[at] === ' ') at++
      // Only the next character shows whether the quotation mark closes the field, and whether the line break is complete.
      if (at === text.length && !ended) return undefined
      if (text[at] !== separator && !isBreak(at) && at < text.length) return 'damaged'
    } else {
      const from = at
      while (at < text.length && text[at] !== separator && !isBreak(at)) at++
      if (at === text.length && !ended) return undefined
      cells.push(text.slice(from, at))
    }
    if (text[at] === '\r' && at + 1 === text.length && !ended) return undefined
    if (at >= text.length || isBreak(at)) return { cells, end: at }
    at++
  }
}
