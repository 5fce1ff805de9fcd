/// <reference path="./fontkit.d.ts" />
import type { Font } from 'fontkit'
import { deflate, encodeLatin1, toHex } from './bytes.ts'
import type { FaceName, Faces } from './faces.ts'
import { formatNumber, type PdfFile, type Ref, refTo } from './file.ts'

interface UsedFont {
  subset: ReturnType<Faces[FaceName]['createSubset']>
  /** The highest ID that a common glyph has in the subset. */
  maxCommonId: number
  /** The other glyphs, in the order in which they are first drawn. */
  ids: number[]
  /** Width and text of each glyph that was drawn, by its ID in the subset. */
  glyphs: Map<number, { width: number; text: string }>
  ref: Ref
}

/**
 * Characters whose glyphs are in every subset. Letters with plain names, numbers and codes therefore all use the same subset,
 * which is cached. This adds 13 kB per file.
 */
const COMMON_CODE_POINTS = Array.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ,.:'()/-",
  letter => letter.codePointAt(0) ?? 0,
)

/** A font subset, as embedded in a file. */
interface Program {
  /** Uncompressed length in bytes. */
  length: number
  compressed: Uint8Array<ArrayBuffer>
  /** Six-letter subset tag, derived from the glyphs. */
  tag: string
}

/** Maximum number of cached subsets of a font, of about 15 kB each. */
const MAX_CACHED_PROGRAMS = 200
const programs = new WeakMap<Font, Map<string, Promise<Program>>>()

/** Returns a font subset for embedding, from the cache if possible. `ids` are its glyphs other than the common ones. */
function subsetProgram(font: Font, subset: UsedFont['subset'], ids: readonly number[]): Promise<Program> {
  const programsBySubset = programs.get(font) ?? new Map<string, Promise<Program>>()
  programs.set(font, programsBySubset)
  const key = ids.join()
  const cached = programsBySubset.get(key)
  if (cached) return cached
  const program = encodeSubset(subset)
  if (programsBySubset.size >= MAX_CACHED_PROGRAMS) programsBySubset.clear()
  programsBySubset.set(key, program)
  program.catch(() => programsBySubset.delete(key))
  return program
}

async function encodeSubset(subset: UsedFont['subset']): Promise<Program> {
  const data = Uint8Array.from(subset.encode())
  return { length: data.length, compressed: await deflate(data), tag: await computeTag(data) }
}

/** The fonts that a file uses, each reduced to the glyphs that are drawn. */
export class EmbeddedFonts {
  readonly #faces: Faces
  readonly #file: PdfFile
  readonly #usedFonts = new Map<FaceName, UsedFont>()

  constructor(file: PdfFile, faces: Faces) {
    this.#file = file
    this.#faces = faces
  }

  /** Returns a font's record, and creates it when the font is first used. */
  #openFont(face: FaceName): UsedFont {
    const existing = this.#usedFonts.get(face)
    if (existing) return existing
    const font = this.#faces[face]
    const subset = font.createSubset()
    const codes = COMMON_CODE_POINTS.map(point => subset.includeGlyph(font.glyphForCodePoint(point).id))
    const usedFont = {
      subset,
      maxCommonId: Math.max(...codes),
      ids: [],
      glyphs: new Map(),
      ref: this.#file.reserve(),
    }
    this.#usedFonts.set(face, usedFont)
    return usedFont
  }

  /**
   * Returns a glyph's code, its width in thousandths of the type size, and whether the code alone can be converted back to
   * `text`.
   */
  encodeGlyph(
    face: FaceName,
    id: number,
    text: string,
  ): { code: string; width: number; isReversible: boolean } {
    const usedFont = this.#openFont(face)
    const cid = usedFont.subset.includeGlyph(id)
    const font = this.#faces[face]
    const known = usedFont.glyphs.get(cid)
    const width = known?.width ?? (font.getGlyph(id).advanceWidth * 1000) / font.unitsPerEm
    if (!known) {
      usedFont.glyphs.set(cid, { width, text })
      if (cid > usedFont.maxCommonId) usedFont.ids.push(id)
    }
    return {
      code: cid.toString(16).padStart(4, '0'),
      width,
      isReversible: text !== '' && (known?.text ?? text) === text,
    }
  }

  /** Returns the code and the width of a font's space. */
  encodeSpace(face: FaceName): { code: string; width: number } {
    return this.encodeGlyph(face, this.#faces[face].layout(' ').glyphs[0]?.id ?? 0, ' ')
  }

  /** Embeds the fonts and returns `/Font` of the page's resources. Call it once everything has been drawn. */
  async write(): Promise<string> {
    const entries: string[] = []
    for (const [face, usedFont] of this.#usedFonts) {
      await this.#embed(face, usedFont)
      entries.push(`/${face} ${refTo(usedFont.ref)}`)
    }
    return `<<${entries.join('')}>>`
  }

  async #embed(face: FaceName, { subset, ids, glyphs, ref }: UsedFont): Promise<void> {
    const file = this.#file
    const font = this.#faces[face]
    const toGlyphUnits = (value: number) => formatNumber((value * 1000) / font.unitsPerEm)
    const sorted = [...glyphs].sort(([a], [b]) => a - b)
    const { length, compressed, tag } = await subsetProgram(font, subset, ids)
    const name = `${tag}+${font.postscriptName.replace(/[^\w-]/g, '')}`
    const program = await file.addStream(`/Length1 ${length}/Filter/FlateDecode`, compressed, true)
    const { minX, minY, maxX, maxY } = font.bbox
    // Flags 4 means symbolic: the codes are glyph IDs rather than characters of a standard set.
    const descriptor = file.add(
      `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${[minX, minY, maxX, maxY].map(toGlyphUnits).join(' ')}]` +
        `/ItalicAngle 0/Ascent ${toGlyphUnits(font.ascent)}/Descent ${toGlyphUnits(font.descent)}/CapHeight ${toGlyphUnits(font.capHeight)}` +
        `/StemV 80/FontFile2 ${refTo(program)}>>`,
    )
    const widths = sorted.map(([cid, { width }]) => `${cid}[${formatNumber(width)}]`).join('')
    const descendant = file.add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
        `/FontDescriptor ${refTo(descriptor)}/DW 0/W[${widths}]/CIDToGIDMap/Identity>>`,
    )
    const unicode = await file.addStream(
      '',
      encodeLatin1(buildToUnicodeMap(sorted.map(([cid, { text }]) => [cid, text]))),
    )
    file.set(
      ref,
      `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${refTo(descendant)}]/ToUnicode ${refTo(unicode)}>>`,
    )
  }
}

/** Returns the six-letter tag of a subset, which depends only on its data. */
async function computeTag(data: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data))
  return Array.from(digest.slice(0, 6), byte => String.fromCharCode(65 + (byte % 26))).join('')
}

function buildToUnicodeMap(pairs: readonly (readonly [number, string])[]): string {
  const lines = pairs
    .filter(([, text]) => text !== '')
    .map(([cid, text]) => {
      const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
      return `<${cid.toString(16).padStart(4, '0')}> <${toHex(units.flatMap(unit => [unit >> 8, unit & 255]))}>`
    })
  // A block holds at most 100 entries (Adobe technical note 5014).
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, index) => {
    const block = lines.slice(index * 100, index * 100 + 100)
    return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`
  })
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('')}endcmap
CMapName currentdict /CMap defineresource pop
end
end
`
}
