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
 * Minimum number of columns for detecting rows inside a quoted field. With fewer columns, the lines of a genuine field look
 * like rows too often.
 */
const MIN_COLUMNS = 4

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

  *#records(isEnd: boolean): Generator<CsvRecord> {
    const text = this.#text
    let position = 0
    let quote = text.indexOf('"')
    let carriageReturn = text.indexOf('\r')
    while (position < text.length) {
      if (carriageReturn >= 0 && carriageReturn < position) carriageReturn = text.indexOf('\r', position)
      const lineFeed = text.indexOf('\n', position)
      const lineEnd =
        carriageReturn >= 0 && (lineFeed < 0 || carriageReturn < lineFeed) ? carriageReturn : lineFeed
      if (lineEnd < 0 && !isEnd) break
      // A carriage return at the end may be the first half of a line break.
      if (lineEnd === text.length - 1 && lineEnd === carriageReturn && !isEnd) break
      const end = lineEnd < 0 ? text.length : lineEnd
      const next = end + (lineEnd === carriageReturn && lineFeed === end + 1 ? 2 : 1)
      const separator = this.#separator ?? this.#readHeader(text.slice(position, end))
      if (separator === undefined) {
        this.#line++
        position = next
        continue
      }
      // Skip a byte order mark, which concatenated files have in the middle too.
      const start = text.charCodeAt(position) === 0xfeff ? position + 1 : position
      if (quote >= 0 && quote < position) quote = text.indexOf('"', position)
      if (quote < 0 || quote > end) {
        yield this.#record(text.slice(start, end).split(separator))
        this.#line++
        position = next
        continue
      }
      const quoted = this.#strays.delete(this.#line) ? 'damaged' : readQuoted(text, start, separator, isEnd)
      if (quoted === undefined) break
      const lines = quoted === 'damaged' ? [] : linesIn(text.slice(start, quoted.end))
      if (quoted === 'damaged' || this.#containsRows(lines, separator)) {
        if (lines.length > 0) this.#strays.add(this.#line + lines.length - 1)
        yield { line: this.#line, cells: [text.slice(start, end)], damaged: true }
        this.#line++
        position = next
        continue
      }
      yield this.#record(quoted.cells)
      this.#line += lines.length
      position = quoted.end + (text.startsWith('\r\n', quoted.end) ? 2 : 1)
    }
    this.#text = text.slice(position)
    if (this.#text.length > MAX_LINE_LENGTH) throw new NotCsv(this.#line, 'too long')
  }

  #record(cells: string[]): CsvRecord {
    if (this.#width === 0 && cells.some(cell => cell.trim() !== '')) this.#width = cells.length
    return { line: this.#line, cells }
  }

  /** Detects the separator from a line; returns undefined if the line is not the header. */
  #readHeader(line: string): string | undefined {
    // Excel can write a `sep=` line before the header.
    const declared = /^\ufeff?sep=(.)$/i.exec(line)?.[1]
    if (declared === undefined && line.trim() === '') return undefined
    this.#separator = declared ?? detectSeparator(line)
    return declared === undefined ? this.#separator : undefined
  }

  /**
   * True if lines of a record look like rows themselves. The quotation marks around them are then two stray ones, rather than
   * those of a field with several lines.
   */
  #containsRows(lines: readonly string[], separator: string): boolean {
    if (lines.length < 2 || this.#width < MIN_COLUMNS) return false
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
  isEnd: boolean,
): { cells: string[]; end: number } | 'damaged' | undefined {
  const unterminatedResult = () => (isEnd || text.length - start > MAX_QUOTED_LENGTH ? 'damaged' : undefined)
  const cells: string[] = []
  const isBreak = (index: number) => text[index] === '\n' || text[index] === '\r'
  let position = start
  for (;;) {
    if (text[position] === '"') {
      let close = text.indexOf('"', position + 1)
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
      if (close < 0 || close - start > MAX_QUOTED_LENGTH) return unterminatedResult()
      cells.push(text.slice(position + 1, close).replaceAll('""', '"'))
      position = close + 1
      while (text[position] === ' ') position++
      // Only the next character shows whether the quotation mark closes the field, and whether the line break is complete.
      if (position === text.length && !isEnd) return undefined
      if (text[position] !== separator && !isBreak(position) && position < text.length) return 'damaged'
    } else {
      const cellStart = position
      while (position < text.length && text[position] !== separator && !isBreak(position)) position++
      if (position === text.length && !isEnd) return undefined
      cells.push(text.slice(cellStart, position))
    }
    if (text[position] === '\r' && position + 1 === text.length && !isEnd) return undefined
    if (position >= text.length || isBreak(position)) return { cells, end: position }
    position++
  }
}
