/// <reference path="./fontkit.d.ts" />
import type { Font } from 'fontkit'
import { type FaceName, type Faces, fallbackChains, type Style } from './faces.ts'

/** Matches a letter with its marks. */
export const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu

const MARK = /\p{M}/u

/** True if the font has every character of the text, and anchors for all marks that it draws as separate glyphs. */
function canDraw(font: Font, text: string): boolean {
  const letters = Array.from(text, letter => letter.codePointAt(0) ?? 0)
  if (!letters.every(item => font.hasGlyphForCodePoint(item))) return false
  if (!MARK.test(text)) return true
  // A mark that is placed has an offset; one that is not placed has neither an advance nor an offset. `isMark` cannot be used,
  // because it depends on the text in which fontkit first saw the glyph.
  return font
    .layout(text)
    .positions.every(({ xAdvance, xOffset, yOffset }) => xAdvance !== 0 || xOffset !== 0 || yOffset !== 0)
}

/**
 * Returns the first font of a style that can draw a cluster (in NFC), and the text to draw it with: composed or, if no font can
 * draw that, decomposed. For example, a font without `ã̱` may have `a` and both marks. Returns undefined if no font can draw
 * it.
 */
export function placeCluster(
  faces: Faces,
  style: Style,
  cluster: string,
): { face: FaceName; text: string } | undefined {
  for (const text of new Set([cluster, cluster.normalize('NFD')])) {
    const face = fallbackChains[style].find(name => canDraw(faces[name], text))
    if (face) return { face, text }
  }
  return undefined
}
