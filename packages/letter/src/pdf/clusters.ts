/// <reference path="./fontkit.d.ts" />
import type { Font } from 'fontkit'
import { chains, type FaceName, type Faces, type Style } from './faces.ts'

/** A letter with its marks. */
export const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu

const MARK = /\p{M}/u

/** True if the font has every character of the text, and an anchor for each mark that remains a separate glyph. */
function canDraw(font: Font, text: string): boolean {
  const letters = Array.from(text, letter => letter.codePointAt(0) ?? 0)
  if (!letters.every(each => font.hasGlyphForCodePoint(each))) return false
  if (!MARK.test(text)) return true
  // A mark has no advance. `isMark` depends on which text fontkit saw the glyph in first.
  return font
    .layout(text)
    .positions.every(({ xAdvance, xOffset, yOffset }) => xAdvance !== 0 || xOffset !== 0 || yOffset !== 0)
}

/**
 * Returns the first font of a style that can draw a cluster (NFC), and the form to use: a font without `ã̱` or its
 * anchors may still have `a` and both marks. Undefined if none can.
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
