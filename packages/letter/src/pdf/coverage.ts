import type { FontGlyph } from 'fontkit'
import { CLUSTER, placeCluster } from './clusters.ts'
import { type Faces, fallbackChains, type Style } from './faces.ts'

/*
 * Computes which characters the fonts can draw, for `packages/contract/src/letter-coverage.ts`. Only the serif styles matter,
 * because the others show only fixed text.
 */

const STYLES = ['serif', 'serifBold'] as const satisfies readonly Style[]

export interface Coverage {
  /** Characters that can be printed without a mark. */
  printed: number[]
  /** Marks that can be printed on letters. */
  marks: number[]
  /** Letters that cannot carry any mark. */
  bare: number[]
  /** Other combinations of a letter and a mark that cannot be printed. */
  unplaced: string[]
}

const LETTER = /^\p{L}$/u
const MODIFIER = /^\p{Lm}$/u
const MARK = /^\p{M}$/u
/** Characters without visible ink: control and format characters, unassigned code points, and spaces. */
const INVISIBLE_CHARACTER = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]$/u
/** True for marks that span two letters. They are left out, because the fonts would place them over only one letter. */
const isDouble = (point: number) => point >= 0x35c && point <= 0x362
/** Maximum number of letters on which a mark cannot be placed; if there are more, the mark is not printed at all. */
const MAX_UNPLACED = 60
/** If at least this many marks cannot be placed on a letter, no mark is allowed on it. */
const MAX_UNANCHORED_MARKS = 4

const toText = String.fromCodePoint
const matches = (kind: RegExp) => (point: number) => kind.test(toText(point))

/** True if both weights of the serif style can draw the text. */
const canDrawText = (faces: Faces, value: string) =>
  STYLES.every(style => placeCluster(faces, style, value.normalize('NFC')))

const hasInk = ({ bbox }: FontGlyph) => bbox.maxX > bbox.minX && bbox.maxY > bbox.minY

function isInked(faces: Faces, point: number): boolean {
  return STYLES.every(style => {
    const name = fallbackChains[style].find(item => faces[item].hasGlyphForCodePoint(point))
    return name && hasInk(faces[name].glyphForCodePoint(point))
  })
}

/** True if two marks on a letter would overlap, because both are anchored to it at the same position. */
function marksCollide(faces: Faces, a: number, b: number): boolean {
  return STYLES.some(style => {
    const placed = placeCluster(faces, style, toText(0x6f, a, b).normalize('NFC'))
    if (!placed) return true
    const { glyphs, positions } = faces[placed.face].layout(placed.text)
    const [firstBox, secondBox] = glyphs.flatMap(({ bbox }, index) => {
      const { xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const box = { left: bbox.minX + xOffset, right: bbox.maxX + xOffset }
      return index > 0 ? [{ ...box, low: bbox.minY + yOffset, high: bbox.maxY + yOffset }] : []
    })
    if (!firstBox || !secondBox) return false
    const overlapX = Math.min(firstBox.right, secondBox.right) - Math.max(firstBox.left, secondBox.left)
    const overlapY = Math.min(firstBox.high, secondBox.high) - Math.max(firstBox.low, secondBox.low)
    return (
      overlapX > 0 && overlapY > 0.5 * Math.min(firstBox.high - firstBox.low, secondBox.high - secondBox.low)
    )
  })
}

/** Returns the marks that can be combined on one letter in any order. */
function findStackableMarks(faces: Faces, marks: readonly number[]): number[] {
  const countCollisions = (mark: number, candidates: readonly number[]) =>
    candidates.filter(
      candidate => marksCollide(faces, mark, candidate) || marksCollide(faces, candidate, mark),
    ).length
  const collisionFree = marks.filter(
    mark => countCollisions(mark, [mark]) === 0 && countCollisions(mark, marks) < marks.length / 2,
  )
  return collisionFree.filter(mark => countCollisions(mark, collisionFree) === 0)
}

/**
 * Computes what both weights can print, also in capitals, because the subject names the graduate in capitals. Letters whose
 * capitals cannot be printed are left out.
 */
export function computeCoverage(faces: Faces): Coverage {
  const knownPoints = new Set(fallbackChains.serif.flatMap(name => faces[name].characterSet))
  const inkedGlyphs = [...knownPoints]
    .sort((a, b) => a - b)
    .filter(
      point =>
        toText(point).normalize('NFC') === toText(point) &&
        !matches(INVISIBLE_CHARACTER)(point) &&
        isInked(faces, point),
    )
  const letters = inkedGlyphs.filter(point => matches(LETTER)(point) && !matches(MODIFIER)(point))
  const findUnmarkableLetters = (mark: number) =>
    letters.filter(letter => !canDrawText(faces, toText(letter, mark)))
  const placed = inkedGlyphs
    .filter(
      point => matches(MARK)(point) && !isDouble(point) && toText(point).toUpperCase() === toText(point),
    )
    .map(mark => ({ mark, unplacedOn: findUnmarkableLetters(mark) }))
    .filter(({ unplacedOn }) => unplacedOn.length <= MAX_UNPLACED)
  const marks = findStackableMarks(
    faces,
    placed.map(({ mark }) => mark),
  )
  const remaining = placed.filter(({ mark }) => marks.includes(mark))
  const bare = letters.filter(
    letter =>
      remaining.filter(({ unplacedOn }) => unplacedOn.includes(letter)).length >= MAX_UNANCHORED_MARKS,
  )
  const unplaced = remaining.flatMap(({ mark, unplacedOn }) =>
    unplacedOn.filter(letter => !bare.includes(letter)).map(letter => toText(letter, mark)),
  )

  const isDrawn = (cluster: string) => {
    const [letter = 0, ...letterMarks] = Array.from(cluster, item => item.codePointAt(0) ?? 0)
    return (
      inkedGlyphs.includes(letter) &&
      (letterMarks.length === 0 ||
        (!bare.includes(letter) && letterMarks.every(mark => marks.includes(mark))))
    )
  }
  const printed = inkedGlyphs.filter(
    point =>
      !matches(MARK)(point) &&
      [...toText(point).toUpperCase().normalize('NFC').matchAll(CLUSTER)].every(([cluster]) =>
        isDrawn(cluster),
      ),
  )
  return { printed: [0x20, ...printed], marks, bare: bare.filter(point => printed.includes(point)), unplaced }
}

/** Formats code points in hexadecimal: `20-7e a1`. */
function formatRanges(points: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const point of points) {
    const last = ranges.at(-1)
    if (last && last[1] === point - 1) last[1] = point
    else ranges.push([point, point])
  }
  return ranges
    .map(([from, to]) => [...new Set([from, to])].map(item => item.toString(16)).join('-'))
    .join(' ')
}

/** Returns the source of the module that the contract uses to validate text. */
export function coverageSource({ printed, marks, bare, unplaced }: Coverage): string {
  const points = unplaced.map(pair => Array.from(pair, item => item.codePointAt(0)?.toString(16)).join('+'))
  return `/* Generated by packages/letter/scripts/coverage.mjs from the fonts of the letter. Code points in hexadecimal. */

/** Characters that can be printed. */
export const printed =
  '${formatRanges(printed)}'
/** Marks that can be printed on a letter of the alphabet, in any combination. */
export const marks = '${formatRanges(marks)}'
/** Letters that cannot carry any mark. */
export const bare =
  '${formatRanges(bare)}'
/** Other combinations of a letter and a mark that cannot be printed. */
export const unplaced = '${points.join(' ')}'
`
}
