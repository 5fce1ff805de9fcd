import type { Canvas, Colour } from './canvas.ts'
import type { Style } from './faces.ts'
import type { Element } from './tags.ts'
import { breakLines, type Line, type Run, type Shaper } from './text.ts'

/** Typographic settings of a text block, in points. */
export interface TextStyle {
  style: Style
  size: number
  /** Line height, as a multiple of the size. */
  leading: number
  colour: Colour
  align?: 'start' | 'end' | 'centre' | 'justify'
  /** Letter spacing, as a multiple of the size. */
  tracking?: number
}

/** Text set in a column: its height and width in points, and its lines. */
export interface Block {
  height: number
  width: number
  lines: Line[]
  style: TextStyle
}

/** Sets text in a column of `width` points. */
export function setText(
  shaper: Shaper,
  runs: string | readonly Run[],
  width: number,
  style: TextStyle,
): Block {
  const styledRuns = typeof runs === 'string' ? [{ text: runs, style: style.style }] : runs
  const limit = (width * 1000) / style.size
  const unspaced = breakLines(shaper, styledRuns, limit, style.align === 'justify')
  const lines = style.tracking
    ? unspaced.map(line => addTracking(line, 1000 * (style.tracking ?? 0)))
    : unspaced
  return { lines, width, style, height: lines.length * style.size * style.leading }
}

/** Adds letter spacing to a line; only for short lines that do not fill the column. */
function addTracking(line: Line, spacing: number): Line {
  const words = line.words.map(word => ({
    ...word,
    glyphs: word.glyphs.map((glyph, index) => ({ ...glyph, x: glyph.x + index * spacing })),
    width: word.width + word.glyphs.length * spacing,
  }))
  return {
    ...line,
    words,
    width: line.width + words.reduce((sum, { glyphs }) => sum + glyphs.length * spacing, 0),
  }
}

/** Returns the distance of a line's baseline from its top in points, calculated as browsers do. */
export function baselineOf(shaper: Shaper, { style, size, leading }: TextStyle): number {
  const { ascent, descent, unitsPerEm } = shaper.faces[style]
  return (size * (leading + (ascent + descent) / unitsPerEm)) / 2
}

/** Returns the width of the widest line of a block in points. */
export const inkWidth = ({ lines, style }: Block): number =>
  (Math.max(0, ...lines.map(line => line.width)) * style.size) / 1000

/**
 * Draws a block with its top left corner at (x, y).
 * @returns the left end, the right end and the baseline of each line
 */
export function drawText(
  canvas: Canvas,
  shaper: Shaper,
  owner: Element,
  { lines, width, style }: Block,
  x: number,
  y: number,
): { left: number; right: number; baseline: number }[] {
  const firstBaseline = baselineOf(shaper, style)
  const placed = lines.map((line, index) => {
    const inkedWidth = (line.width * style.size) / 1000
    const spare = width - inkedWidth
    const left = x + (style.align === 'end' ? spare : style.align === 'centre' ? spare / 2 : 0)
    return {
      line,
      x: left,
      y: y + firstBaseline + index * style.size * style.leading,
      right: left + inkedWidth,
    }
  })
  canvas.drawText(owner, style.colour, style.size, placed)
  return placed.map(({ x: left, y: baseline, right }) => ({ left, right, baseline }))
}
