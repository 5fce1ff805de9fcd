/** Only the parts of fontkit in use, because its published types depend on those of Node. */
declare module 'fontkit' {
  export interface FontGlyph {
    id: number
    codePoints: number[]
    advanceWidth: number
    bbox: { minX: number; minY: number; maxX: number; maxY: number }
  }
  export interface Font {
    postscriptName: string
    unitsPerEm: number
    ascent: number
    descent: number
    capHeight: number
    italicAngle: number
    bbox: { minX: number; minY: number; maxX: number; maxY: number }
    characterSet: number[]
    glyphForCodePoint(codePoint: number): FontGlyph
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number): FontGlyph
    layout(text: string): {
      glyphs: FontGlyph[]
      positions: { xAdvance: number; xOffset: number; yOffset: number }[]
    }
    createSubset(): { includeGlyph(id: number): number; encode(): Uint8Array }
  }
  export function create(bytes: Uint8Array): Font
}
