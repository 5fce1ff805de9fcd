/// <reference path="./fontkit.d.ts" />
import type { Font } from 'fontkit'
import { chains, type FaceName, type Faces, type Style } from './faces.ts'

/** A letter with its tone marks and dots. */
export const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu

const MARK = /\p{M}/u

/** True when the face has every character of the text, and an anchor for each mark that stays a glyph of its own. */
export function canDraw(font: Font, text: string): boolean {
  const letters = Array.from(text, letter => letter.codePointAt(0) ?? 0)
  if (!letters.every(each => font.hasGlyphForCodePoint(each))) return false
  if (!MARK.test(text)) return true
  const { glyphs, positions } = font.layout(text)
  return glyphs.every((glyph, at) => {
    const { xOffset = 0, yOffset = 0 } = positions[at] ?? {}
    return !glyph.isMark || xOffset !== 0 || yOffset !== 0
  })
}

/**
 * The first face of a style that draws a cluster (NFC), and the form in which it does: a face without `ã̱` or its anchors
 * may still have `a` and both marks. Undefined when none does.
 */
export function placeCluster(
  faces: Faces,
  style: Style,
  cluster: string,
): { face: FaceName; text: string } | undefined {
  for (const text of new Set([cluster, cluster.normalize('NFD')])) {
    const face = chains[style].find(name => canDraw(faces[name], text))
    if (face) return { face, text }
  }
  return undefined
}
