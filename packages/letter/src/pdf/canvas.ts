import { latin1 } from './bytes.ts'
import { num, textString } from './file.ts'
import type { EmbeddedFonts } from './fonts.ts'
import { pathOperators } from './shape.ts'
import type { Element, Tags } from './tags.ts'
import type { Line, Word } from './text.ts'

/** Height of an A4 page in points. */
export const PAGE = { width: 595.276, height: 841.89 } as const

/** Name of the graphics state that darkens what lies beneath, of the page's resources. */
export const MULTIPLY = 'multiply'

/** Red, green, blue from 0 to 1, from `#rrggbb`. */
export type Colour = string
const rgb = (colour: Colour) =>
  [1, 3, 5].map(at => num(Number.parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ')

/** Whose a piece of content is: an element of the structure, or nobody's (rules, ornaments). */
export type Owner = Element | 'artifact'

/** The page's content. Points from the page's top left corner, y down. */
export class Canvas {
  readonly #out: string[] = []
  readonly #fonts: EmbeddedFonts
  readonly #tags: Tags

  constructor(fonts: EmbeddedFonts, tags: Tags) {
    this.#fonts = fonts
    this.#tags = tags
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return latin1(this.#out.join('\n'))
  }

  #marked(owner: Owner, draw: () => void): void {
    this.#out.push(
      owner === 'artifact' ? '/Artifact BMC' : `/${owner.kind}<</MCID ${this.#tags.piece(owner)}>>BDC`,
    )
    draw()
    this.#out.push('EMC')
  }

  /** A filled rectangle. */
  box(owner: Owner, colour: Colour, x: number, y: number, width: number, height: number): void {
    this.#marked(owner, () =>
      this.#out.push(
        `${rgb(colour)} rg ${num(x)} ${num(PAGE.height - y - height)} ${num(width)} ${num(height)} re f`,
      ),
    )
  }

  /** A dashed circle around (x, y). */
  dashedCircle(owner: Owner, colour: Colour, x: number, y: number, radius: number, width: number): void {
    const circle = pathOperators(
      `M${x + radius} ${PAGE.height - y}a${radius} ${radius} 0 1 1 ${-2 * radius} 0a${radius} ${radius} 0 1 1 ${2 * radius} 0z`,
    )
    this.#marked(owner, () =>
      this.#out.push(`q ${rgb(colour)} RG ${num(width)} w [${num(width * 2.2)}] 0 d\n${circle}\nS Q`),
    )
  }

  /** A drawing in a square of its own, `side` units wide there and `size` points here. */
  drawing(
    owner: Owner,
    place: { x: number; y: number; size: number; side: number },
    operators: string,
  ): void {
    const { x, y, size, side } = place
    const scale = (size / side).toFixed(6)
    this.#marked(owner, () =>
      this.#out.push(`q ${scale} 0 0 -${scale} ${num(x)} ${num(PAGE.height - y)} cm\n${operators}\nQ`),
    )
  }

  /** An image of the page's resources, filling a rectangle. */
  image(
    owner: Owner,
    { name, width: own, drawn }: { name: string; width: number; drawn: boolean },
    place: { x: number; y: number; width: number; height: number },
  ): void {
    const { x, y, width, height } = place
    // A picture fills the unit square, a drawing its own size.
    const [across, up] = drawn ? [width / own, width / own] : [width, height]
    const matrix = `${across.toFixed(6)} 0 0 ${up.toFixed(6)} ${num(x)} ${num(PAGE.height - y - height)}`
    this.#marked(owner, () => this.#out.push(`q ${matrix} cm /${name} Do Q`))
  }

  /**
   * Lines of text.
   * @param lines each with its left end and its baseline
   */
  text(
    owner: Element,
    colour: Colour,
    size: number,
    lines: readonly { line: Line; x: number; y: number }[],
  ): void {
    this.#out.push(`${rgb(colour)} rg`)
    lines.forEach(({ line, x, y }, at) => {
      // A line ends with a blank, so that readers do not join its last word with the next.
      this.#line(owner, line, size, `1 0 0 1 ${num(x)} ${num(PAGE.height - y)}`, at < lines.length - 1)
    })
  }

  /** One line through (x, y) turned by `degrees`, centred there. */
  turned(
    owner: Element,
    colour: Colour,
    size: number,
    line: Line,
    place: { x: number; y: number; degrees: number },
  ): void {
    const angle = (place.degrees * Math.PI) / 180
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const half = (line.width * size) / 2000
    const at = `${num(place.x - cos * half)} ${num(PAGE.height - place.y - sin * half)}`
    const turn = [cos, sin, -sin, cos].map(value => value.toFixed(5)).join(' ')
    // What lies beneath shows through.
    this.#out.push(`q /${MULTIPLY} gs ${rgb(colour)} rg`)
    this.#line(owner, line, size, `${turn} ${at}`, false)
    this.#out.push('Q')
  }

  #line(owner: Element, line: Line, size: number, matrix: string, blankAtEnd: boolean): void {
    this.#out.push(`BT ${matrix} Tm`)
    const mark = (actual: string | undefined) => {
      const piece = `/MCID ${this.#tags.piece(owner)}`
      return actual === undefined
        ? `/${owner.kind}<<${piece}>>BDC`
        : `/Span<<${piece}/ActualText${textString(actual)}>>BDC`
    }
    const pen = new Pen(this.#out, this.#fonts, size, mark)
    let start = 0
    line.words.forEach((word, at) => {
      pen.word(word, start)
      start += word.width
      if (at < line.words.length - 1 || blankAtEnd) pen.blank(word, start)
      start += line.space
    })
    pen.end()
    this.#out.push('ET')
  }
}

/** Writes glyphs where they belong: by their widths where that is enough, moved where it is not. */
class Pen {
  readonly #out: string[]
  readonly #fonts: EmbeddedFonts
  readonly #size: number
  #face = ''
  #rise = 0
  /** Where the next glyph would stand, in thousandths of the size. */
  #at = 0
  #held = ''
  #codes = ''
  /** Whether a piece of marked content is open, and what is read instead of it. */
  #piece: { actual: string | undefined } | undefined
  readonly #mark: (actual: string | undefined) => string

  constructor(
    out: string[],
    fonts: EmbeddedFonts,
    size: number,
    mark: (actual: string | undefined) => string,
  ) {
    this.#out = out
    this.#fonts = fonts
    this.#size = size
    this.#mark = mark
  }

  /** Goes on in a piece of its own where what is read changes. */
  #enter(actual: string | undefined): void {
    if (this.#piece && this.#piece.actual === actual) return
    this.#leave()
    this.#out.push(this.#mark(actual))
    this.#piece = { actual }
  }

  #leave(): void {
    this.#flush()
    if (this.#piece) this.#out.push('EMC')
    this.#piece = undefined
  }

  #flushCodes(): void {
    if (this.#codes) this.#held += `<${this.#codes}>`
    this.#codes = ''
  }

  #flush(): void {
    this.#flushCodes()
    if (this.#held) this.#out.push(`[${this.#held}]TJ`)
    this.#held = ''
  }

  #glyph(face: Word['glyphs'][number]['face'], code: string, width: number, x: number, y: number): void {
    if (face !== this.#face) {
      this.#flush()
      this.#out.push(`/${face} ${num(this.#size)} Tf`)
      this.#face = face
    }
    if (Math.abs(y - this.#rise) > 0.01) {
      this.#flush()
      this.#out.push(`${num((y * this.#size) / 1000)} Ts`)
      this.#rise = y
    }
    const shift = this.#at - x
    if (Math.abs(shift) > 0.4) {
      this.#flushCodes()
      this.#held += num(shift)
      this.#at = x
    }
    this.#codes += code
    this.#at += width
  }

  /** A word that begins `start` thousandths into the line. */
  word(word: Word, start: number): void {
    const codes = word.glyphs.map(glyph => ({ glyph, ...this.#fonts.code(glyph.face, glyph.id, glyph.text) }))
    // Composed again, so that a letter and its marks are what was written.
    const read = word.glyphs
      .map(({ text }) => text)
      .join('')
      .normalize('NFC')
    // Some readers take a mark that stands above its letter for the end of a word, so that such words are told as well.
    const plain = read === word.text && !/\p{M}/u.test(read) && codes.every(({ says }) => says)
    this.#enter(plain ? undefined : word.text)
    for (const { glyph, code, width } of codes) this.#glyph(glyph.face, code, width, start + glyph.x, glyph.y)
    // The same word twice is read twice.
    if (this.#piece?.actual !== undefined) this.#leave()
  }

  /** The blank after a word, drawn so that it is there for whoever reads the text. */
  blank({ glyphs }: Word, start: number): void {
    const face = glyphs.at(-1)?.face ?? 'serif'
    const { code, width } = this.#fonts.blank(face)
    this.#enter(undefined)
    this.#glyph(face, code, width, start, 0)
  }

  end(): void {
    this.#leave()
    if (this.#rise !== 0) this.#out.push('0 Ts')
  }
}
