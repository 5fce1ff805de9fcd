import { encodeLatin1 } from './bytes.ts'
import { formatNumber, textString } from './file.ts'
import type { EmbeddedFonts } from './fonts.ts'
import { pathOperators } from './svg-path.ts'
import type { Element, Tags } from './tags.ts'
import type { Line, Word } from './text.ts'

/** Size of an A4 page in points. */
export const PAGE_SIZE = { width: 595.276, height: 841.89 } as const

/** Name of the multiply blend mode among the page's resources. */
export const MULTIPLY = 'multiply'

/** A colour as `#rrggbb`. */
export type Colour = string

/** Converts a colour to red, green and blue from 0 to 1, as PDF operands. */
const rgb = (colour: Colour) =>
  [1, 3, 5].map(index => formatNumber(Number.parseInt(colour.slice(index, index + 2), 16) / 255)).join(' ')

/** The structure element to which content belongs, or `artifact` for rules and ornaments, which belong to none. */
export type Owner = Element | 'artifact'

/** Writes the page's content stream. Coordinates are in points from the top left corner of the page, with y pointing down. */
export class Canvas {
  readonly #out: string[] = []
  readonly #fonts: EmbeddedFonts
  readonly #tags: Tags

  constructor(fonts: EmbeddedFonts, tags: Tags) {
    this.#fonts = fonts
    this.#tags = tags
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return encodeLatin1(this.#out.join('\n'))
  }

  #drawMarked(owner: Owner, draw: () => void): void {
    this.#out.push(
      owner === 'artifact' ? '/Artifact BMC' : `/${owner.kind}<</MCID ${this.#tags.addPiece(owner)}>>BDC`,
    )
    draw()
    this.#out.push('EMC')
  }

  /** Draws a filled rectangle. */
  drawBox(owner: Owner, colour: Colour, x: number, y: number, width: number, height: number): void {
    this.#drawMarked(owner, () =>
      this.#out.push(
        `${rgb(colour)} rg ${formatNumber(x)} ${formatNumber(PAGE_SIZE.height - y - height)} ${formatNumber(width)} ${formatNumber(height)} re f`,
      ),
    )
  }

  /** Draws a dashed circle around (x, y). */
  drawDashedCircle(owner: Owner, colour: Colour, x: number, y: number, radius: number, width: number): void {
    const circle = pathOperators(
      `M${x + radius} ${PAGE_SIZE.height - y}a${radius} ${radius} 0 1 1 ${-2 * radius} 0a${radius} ${radius} 0 1 1 ${2 * radius} 0z`,
    )
    this.#drawMarked(owner, () =>
      this.#out.push(
        `q ${rgb(colour)} RG ${formatNumber(width)} w [${formatNumber(width * 2.2)}] 0 d\n${circle}\nS Q`,
      ),
    )
  }

  /** Draws vector operators, scaled so that `side` units of their own coordinates become `size` points. */
  drawOperators(
    owner: Owner,
    box: { x: number; y: number; size: number; side: number },
    operators: string,
  ): void {
    const { x, y, size, side } = box
    const scale = (size / side).toFixed(6)
    this.#drawMarked(owner, () =>
      this.#out.push(
        `q ${scale} 0 0 -${scale} ${formatNumber(x)} ${formatNumber(PAGE_SIZE.height - y)} cm\n${operators}\nQ`,
      ),
    )
  }

  /** Draws an image from the page's resources into a rectangle. */
  drawImage(
    owner: Owner,
    { name, width: naturalWidth, isVector }: { name: string; width: number; isVector: boolean },
    box: { x: number; y: number; width: number; height: number },
  ): void {
    const { x, y, width, height } = box
    // In its own coordinates, a bitmap is one unit wide and high; a drawing has its natural size.
    const [across, up] = isVector ? [width / naturalWidth, width / naturalWidth] : [width, height]
    const matrix = `${across.toFixed(6)} 0 0 ${up.toFixed(6)} ${formatNumber(x)} ${formatNumber(PAGE_SIZE.height - y - height)}`
    this.#drawMarked(owner, () => this.#out.push(`q ${matrix} cm /${name} Do Q`))
  }

  /**
   * Draws lines of text.
   * @param lines the lines, each with the position of its left end and its baseline
   */
  drawText(
    owner: Element,
    colour: Colour,
    size: number,
    lines: readonly { line: Line; x: number; y: number }[],
  ): void {
    this.#out.push(`${rgb(colour)} rg`)
    lines.forEach(({ line, x, y }, index) => {
      // All lines but the last end with a space, so that readers do not join the words of two lines.
      this.#line(
        owner,
        line,
        size,
        `1 0 0 1 ${formatNumber(x)} ${formatNumber(PAGE_SIZE.height - y)}`,
        index < lines.length - 1,
      )
    })
  }

  /** Draws one line centred at (x, y), rotated by `degrees`. */
  drawRotatedText(
    owner: Element,
    colour: Colour,
    size: number,
    line: Line,
    position: { x: number; y: number; degrees: number },
  ): void {
    const angle = (position.degrees * Math.PI) / 180
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const halfWidth = (line.width * size) / 2000
    const origin = `${formatNumber(position.x - cos * halfWidth)} ${formatNumber(PAGE_SIZE.height - position.y - sin * halfWidth)}`
    const rotation = [cos, sin, -sin, cos].map(value => value.toFixed(5)).join(' ')
    // Use the multiply blend mode, so that the content below shows through.
    this.#out.push(`q /${MULTIPLY} gs ${rgb(colour)} rg`)
    this.#line(owner, line, size, `${rotation} ${origin}`, false)
    this.#out.push('Q')
  }

  #line(owner: Element, line: Line, size: number, matrix: string, endsWithSpace: boolean): void {
    this.#out.push(`BT ${matrix} Tm`)
    const beginContent = (actual: string | undefined) => {
      const piece = `/MCID ${this.#tags.addPiece(owner)}`
      return actual === undefined
        ? `/${owner.kind}<<${piece}>>BDC`
        : `/Span<<${piece}/ActualText${textString(actual)}>>BDC`
    }
    const pen = new Pen(this.#out, this.#fonts, size, beginContent)
    let start = 0
    line.words.forEach((word, index) => {
      pen.drawWord(word, start)
      start += word.width
      if (index < line.words.length - 1 || endsWithSpace) pen.drawSpace(word, start)
      start += line.space
    })
    pen.end()
    this.#out.push('ET')
  }
}

/**
 * Writes the glyphs of a line. Their widths determine their positions where possible; otherwise, it writes explicit offsets.
 */
class Pen {
  readonly #out: string[]
  readonly #fonts: EmbeddedFonts
  readonly #size: number
  #face = ''
  #rise = 0
  /** Position of the next glyph in the line, in thousandths of the type size. */
  #position = 0
  /** Elements of the current `TJ` array: strings of glyph codes, and offsets between them. */
  #pending = ''
  /** Glyph codes that are not part of `#pending` yet. */
  #pendingCodes = ''
  /** The marked content that has been started and not ended, with its replacement text, if any. */
  #piece: { actual: string | undefined } | undefined
  readonly #beginContent: (actual: string | undefined) => string

  constructor(
    out: string[],
    fonts: EmbeddedFonts,
    size: number,
    beginContent: (actual: string | undefined) => string,
  ) {
    this.#out = out
    this.#fonts = fonts
    this.#size = size
    this.#beginContent = beginContent
  }

  /** Starts a new section of marked content if the replacement text changes. */
  #enter(actual: string | undefined): void {
    if (this.#piece && this.#piece.actual === actual) return
    this.#leave()
    this.#out.push(this.#beginContent(actual))
    this.#piece = { actual }
  }

  #leave(): void {
    this.#flush()
    if (this.#piece) this.#out.push('EMC')
    this.#piece = undefined
  }

  #flushCodes(): void {
    if (this.#pendingCodes) this.#pending += `<${this.#pendingCodes}>`
    this.#pendingCodes = ''
  }

  #flush(): void {
    this.#flushCodes()
    if (this.#pending) this.#out.push(`[${this.#pending}]TJ`)
    this.#pending = ''
  }

  #glyph(face: Word['glyphs'][number]['face'], code: string, width: number, x: number, y: number): void {
    if (face !== this.#face) {
      this.#flush()
      this.#out.push(`/${face} ${formatNumber(this.#size)} Tf`)
      this.#face = face
    }
    if (Math.abs(y - this.#rise) > 0.01) {
      this.#flush()
      this.#out.push(`${formatNumber((y * this.#size) / 1000)} Ts`)
      this.#rise = y
    }
    const shift = this.#position - x
    if (Math.abs(shift) > 0.4) {
      this.#flushCodes()
      this.#pending += formatNumber(shift)
      this.#position = x
    }
    this.#pendingCodes += code
    this.#position += width
  }

  /** Draws a word that starts `start` thousandths from the beginning of the line. */
  drawWord(word: Word, start: number): void {
    const codes = word.glyphs.map(glyph => ({
      glyph,
      ...this.#fonts.encodeGlyph(glyph.face, glyph.id, glyph.text),
    }))
    // Normalised, so that a letter and its marks equal the original text.
    const extracted = word.glyphs
      .map(({ text }) => text)
      .join('')
      .normalize('NFC')
    // Some readers take a combining mark for the end of a word, so words with marks get replacement text too.
    const isPlain =
      extracted === word.text && !/\p{M}/u.test(extracted) && codes.every(({ isReversible }) => isReversible)
    this.#enter(isPlain ? undefined : word.text)
    for (const { glyph, code, width } of codes) this.#glyph(glyph.face, code, width, start + glyph.x, glyph.y)
    // End the section, so that the same word twice is read as two words.
    if (this.#piece?.actual !== undefined) this.#leave()
  }

  /** Draws the space after a word, so that it is part of the extracted text. */
  drawSpace({ glyphs }: Word, start: number): void {
    const face = glyphs.at(-1)?.face ?? 'serif'
    const { code, width } = this.#fonts.encodeSpace(face)
    this.#enter(undefined)
    this.#glyph(face, code, width, start, 0)
  }

  end(): void {
    this.#leave()
    if (this.#rise !== 0) this.#out.push('0 Ts')
  }
}
