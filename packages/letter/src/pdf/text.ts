/// <reference path="./fontkit.d.ts" />
import type { Font } from 'fontkit'
import { CLUSTER, placeCluster } from './clusters.ts'
import { type FaceName, type Faces, fallbackChains, type Style } from './faces.ts'

/** A glyph in a line of text; lengths are in thousandths of the type size. */
export interface Glyph {
  face: FaceName
  id: number
  /** The character that the glyph represents; empty for a contextual form, which does not represent a single character. */
  text: string
  /** Offset from the start of its word, and from the baseline. */
  x: number
  y: number
}

/** Glyphs between which a line never breaks, with their total width. */
export interface Word {
  style: Style
  text: string
  glyphs: Glyph[]
  width: number
}

const lettersByFont = new WeakMap<Font, Map<number, string>>()

/** Maps each glyph of a font to its character; contextual glyphs have none. It is computed once per process. */
function lettersOf(font: Font): Map<number, string> {
  const cached = lettersByFont.get(font)
  if (cached) return cached
  const letters = new Map<number, string>()
  for (const point of font.characterSet) {
    const { id } = font.glyphForCodePoint(point)
    if (!letters.has(id)) letters.set(id, String.fromCodePoint(point))
  }
  lettersByFont.set(font, letters)
  return letters
}

/** Maximum number of cached words. The documents of an institution share most of their words. */
const MAX_CACHED_WORDS = 4000
const shapedWords = new WeakMap<Faces, Map<string, Word>>()

/** Returns the cache of shaped words for these fonts. */
function wordCacheOf(faces: Faces): Map<string, Word> {
  const cached = shapedWords.get(faces)
  if (cached && cached.size < MAX_CACHED_WORDS) return cached
  const words = new Map<string, Word>()
  shapedWords.set(faces, words)
  return words
}

/** Shapes text into positioned glyphs of one or more fonts. All documents share the cached words. */
export class Shaper {
  readonly faces: Faces
  readonly #words: Map<string, Word>

  constructor(faces: Faces) {
    this.faces = faces
    this.#words = wordCacheOf(faces)
  }

  shapeWord(text: string, style: Style): Word {
    const key = `${style} ${text}`
    const cached = this.#words.get(key)
    if (cached) return cached
    const word = this.#shape(text.normalize('NFC'), style)
    this.#words.set(key, word)
    return word
  }

  /** Splits a word that is wider than `limit`, if necessary between any two characters. */
  splitWord(word: Word, limit: number): Word[] {
    if (word.width <= limit) return [word]
    const pieces: Word[] = []
    let piece = ''
    for (const [cluster] of word.text.matchAll(CLUSTER)) {
      if (piece && this.shapeWord(piece + cluster, word.style).width > limit) {
        pieces.push(this.shapeWord(piece, word.style))
        piece = ''
      }
      piece += cluster
    }
    return [...pieces, this.shapeWord(piece, word.style)]
  }

  #shape(text: string, style: Style): Word {
    const runs: { face: FaceName; text: string }[] = []
    for (const [cluster] of text.matchAll(CLUSTER)) {
      const { face, text: form } = placeCluster(this.faces, style, cluster) ?? {
        face: fallbackChains[style][0],
        text: cluster,
      }
      const last = runs.at(-1)
      if (last?.face === face) last.text += form
      else runs.push({ face, text: form })
    }
    const glyphs: Glyph[] = []
    let pen = 0
    for (const run of runs) {
      const font = this.faces[run.face]
      const scale = 1000 / font.unitsPerEm
      const letters = lettersOf(font)
      const layout = font.layout(run.text)
      layout.glyphs.forEach((glyph, index) => {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = layout.positions[index] ?? {}
        // Composing a letter with its marks leaves empty glyphs for the marks.
        const isEmpty = glyph.codePoints.length === 0 && !Number.isFinite(glyph.bbox.maxX - glyph.bbox.minX)
        if (!isEmpty) {
          glyphs.push({
            face: run.face,
            id: glyph.id,
            text: letters.get(glyph.id) ?? '',
            x: pen + xOffset * scale,
            y: yOffset * scale,
          })
        }
        pen += xAdvance * scale
      })
    }
    return { style, text, glyphs, width: pen }
  }
}

/** A part of a paragraph that is in one style. */
export interface Run {
  text: string
  style: Style
}

/** A line of text: its words, and the width of its spaces in thousandths of the type size. */
export interface Line {
  words: Word[]
  space: number
  width: number
}

/** The last line of a paragraph should fill at least this share of the column. */
const MIN_LAST_LINE_SHARE = 0.12

/**
 * Breaks text into lines of at most `limit` thousandths of the type size, so that the spaces in the paragraph are as even as
 * possible.
 * @param justify widens the spaces of every line but the last, so that it fills the column
 */
export function breakLines(shaper: Shaper, runs: readonly Run[], limit: number, justify = false): Line[] {
  const words = runs.flatMap(({ text, style }) =>
    text
      .split(/[ \t\n]+/)
      .filter(Boolean)
      .flatMap(part => shaper.splitWord(shaper.shapeWord(part, style), limit)),
  )
  const space = shaper.shapeWord(' ', runs[0]?.style ?? 'serif').width
  // best[i]: the lowest cost of setting the words from i on, and where their first line ends.
  const best: { cost: number; end: number }[] = Array(words.length + 1)
  best[words.length] = { cost: 0, end: words.length }
  for (let start = words.length - 1; start >= 0; start -= 1) {
    let width = -space
    let bestBreak = { cost: Number.POSITIVE_INFINITY, end: start + 1 }
    for (let end = start + 1; end <= words.length; end += 1) {
      width += space + (words[end - 1]?.width ?? 0)
      if (width > limit + 0.01 && end > start + 1) break
      const slack = Math.max(0, limit - width) / limit
      const isLastLine = end === words.length
      const badness = isLastLine ? (width < limit * MIN_LAST_LINE_SHARE && start > 0 ? 0.5 : 0) : slack ** 2
      const cost = badness + (best[end]?.cost ?? 0)
      if (cost < bestBreak.cost) bestBreak = { cost, end }
    }
    best[start] = bestBreak
  }
  const lines: Line[] = []
  for (let start = 0; start < words.length; ) {
    const end = best[start]?.end ?? start + 1
    const lineWords = words.slice(start, end)
    const wordsWidth = lineWords.reduce((sum, word) => sum + word.width, 0)
    const gaps = lineWords.length - 1
    const isJustified = justify && end < words.length && gaps > 0
    const spaceWidth = isJustified ? (limit - wordsWidth) / gaps : space
    lines.push({ words: lineWords, space: spaceWidth, width: wordsWidth + gaps * spaceWidth })
    start = end
  }
  return lines
}
