import { type Canvas, type Colour, PAGE_SIZE } from './canvas.ts'
import { type Block, drawText, setText, type TextStyle } from './measure.ts'
import { COLUMN_WIDTH, INK, MARGIN, MUTED } from './sheet-parts.ts'
import type { Tags } from './tags.ts'
import type { Shaper } from './text.ts'

/** A table of texts. The share of a column is its part of the page's width. */
export interface TextTable {
  columns: readonly { label: string; share: number; align?: 'end' }[]
  rows: readonly (readonly string[])[]
  /** A last row, printed in bold. */
  total?: readonly string[]
}

export interface FlowPage {
  canvas: Canvas
  tags: Tags
}

const LINE_COLOUR = '#c8d2cc'
const text: TextStyle = { style: 'serif', size: 10.5, leading: 1.4, colour: INK }
const small: TextStyle = { ...text, size: 9, colour: MUTED }
const heading: TextStyle = { ...text, style: 'serifBold', size: 12 }
const title: TextStyle = { ...text, style: 'serifBold', size: 18, leading: 1.25 }
const cell: TextStyle = { ...text, size: 10, leading: 1.35 }
const bold: TextStyle = { ...cell, style: 'serifBold' }
const head: TextStyle = { ...bold, size: 9, colour: MUTED }

/* Measurements in points. */
const LABEL_WIDTH = 120
const GUTTER = 8
const ROW_GAP = 4
const FOOT_HEIGHT = 18

/** Places texts, facts and tables one below the other, and starts a new page when one is full. */
export class Flow {
  readonly #shaper: Shaper
  readonly #newPage: () => FlowPage
  readonly #pages: FlowPage[]
  #y: number = MARGIN

  constructor(shaper: Shaper, newPage: () => FlowPage) {
    this.#shaper = shaper
    this.#newPage = newPage
    this.#pages = [newPage()]
  }

  #draw(block: Block, x: number, y: number, page = this.#pages.at(-1)): void {
    if (page) drawText(page.canvas, this.#shaper, page.tags.add(page.tags.root, 'P'), block, x, y)
  }

  #rule(y: number, colour: Colour, height: number): void {
    this.#pages.at(-1)?.canvas.drawBox('artifact', colour, MARGIN, y, COLUMN_WIDTH, height)
  }

  /**
   * Starts a new page if this height does not fit on the current one.
   * @returns true if it started one
   */
  #ensureRoom(height: number): boolean {
    if (this.#y + height <= PAGE_SIZE.height - MARGIN - FOOT_HEIGHT) return false
    this.#pages.push(this.#newPage())
    this.#y = MARGIN
    return true
  }

  #text(words: string, style: TextStyle): void {
    const block = setText(this.#shaper, words, COLUMN_WIDTH, style)
    this.#ensureRoom(block.height)
    this.#draw(block, MARGIN, this.#y)
    this.#y += block.height
  }

  /** Adds the name and the address of the institution at the top of the document. */
  addLetterhead(name: string, address: readonly string[], rule: Colour): void {
    this.#text(name, { ...title, colour: rule })
    for (const line of address) this.#text(line, small)
    this.#y += 9
    this.#rule(this.#y, rule, 1)
    this.#rule(this.#y + 2, rule, 1)
    this.#y += 22
  }

  addTitle(words: string): void {
    this.#text(words, title)
    this.#y += 6
  }

  addHeading(words: string): void {
    this.#y += 16
    // Keep the heading on the same page as some of the text below it.
    this.#ensureRoom(4 * text.size * text.leading)
    this.#text(words, heading)
    this.#y += 3
  }

  addLine(words: string): void {
    this.#text(words, text)
  }

  /** Adds a list of labels, each with its value to the right. */
  addFacts(list: readonly (readonly [label: string, value: string])[]): void {
    for (const [label, value] of list) {
      const labelBlock = setText(this.#shaper, label, LABEL_WIDTH - GUTTER, { ...text, colour: MUTED })
      const valueBlock = setText(this.#shaper, value, COLUMN_WIDTH - LABEL_WIDTH, text)
      const height = Math.max(labelBlock.height, valueBlock.height)
      this.#ensureRoom(height)
      this.#draw(labelBlock, MARGIN, this.#y)
      this.#draw(valueBlock, MARGIN + LABEL_WIDTH, this.#y)
      this.#y += height
    }
  }

  /** Adds a table; its header is repeated at the top of each page. */
  addTable({ columns, rows, total }: TextTable): void {
    const labels = columns.map(({ label }) => label)
    const setRow = (values: readonly string[], style: TextStyle) => {
      let x: number = MARGIN
      const cells = columns.map(({ share, align }, index) => {
        const [left, width] = [index === 0 ? 0 : GUTTER, share * COLUMN_WIDTH]
        const cellStyle = align ? { ...style, align } : style
        const placed = {
          x: x + left,
          block: setText(this.#shaper, values[index] ?? '', width - left, cellStyle),
        }
        x += width
        return placed
      })
      return { cells, height: Math.max(...cells.map(({ block }) => block.height)) + 2 * ROW_GAP }
    }
    const drawRow = (row: ReturnType<typeof setRow>, colour: Colour) => {
      for (const { x, block } of row.cells) this.#draw(block, x, this.#y + ROW_GAP)
      this.#y += row.height
      this.#rule(this.#y, colour, 0.75)
    }
    const header = setRow(labels, head)
    const body = [...rows.map(row => setRow(row, cell)), ...(total ? [setRow(total, bold)] : [])]
    this.#y += 6
    this.#ensureRoom(header.height + (body[0]?.height ?? 0))
    drawRow(header, INK)
    for (const row of body) {
      if (this.#ensureRoom(row.height)) drawRow(header, INK)
      drawRow(row, LINE_COLOUR)
    }
  }

  /** Adds page numbers if there are several pages. */
  addPageNumbers(name: string): void {
    const count = this.#pages.length
    if (count === 1) return
    for (const [index, page] of this.#pages.entries()) {
      const y = PAGE_SIZE.height - MARGIN - small.size
      this.#draw(setText(this.#shaper, name, COLUMN_WIDTH, small), MARGIN, y, page)
      const number = setText(this.#shaper, `Page ${index + 1} of ${count}`, COLUMN_WIDTH, {
        ...small,
        align: 'end',
      })
      this.#draw(number, MARGIN, y, page)
    }
  }
}
