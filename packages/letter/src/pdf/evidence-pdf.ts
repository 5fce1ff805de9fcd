import { Canvas, MULTIPLY, PAGE } from './canvas.ts'
import { loadFaces } from './faces.ts'
import { dateString, num, PdfFile, type Ref, refTo, textString } from './file.ts'
import { EmbeddedFonts } from './fonts.ts'
import { DEFAULT_RULE, imagesOf, type LetterPdfInput } from './letter-pdf.ts'
import { type Block, drawText, setText, type TextStyle } from './measure.ts'
import { drawSheet } from './sheet.ts'
import { COLUMN, INK, MARGIN, MUTED } from './sheet-parts.ts'
import { Tags } from './tags.ts'
import { Shaper } from './text.ts'

export interface EvidenceSection {
  heading: string
  lines: readonly string[]
}

export interface EvidencePdfInput {
  title: string
  institution: string
  sections: readonly EvidenceSection[]
  /** Letters with their current status, one per page. */
  letters: readonly (Pick<LetterPdfInput, 'template' | 'letter' | 'rule' | 'images'> & { mark?: string })[]
  at: Date
}

const text: TextStyle = { style: 'serif', size: 10.5, leading: 1.4, colour: INK }
const heading: TextStyle = { ...text, size: 12.5, colour: MUTED }
const title: TextStyle = { ...text, size: 18 }
/** Space between sections, in points. */
const GAP = 10

/**
 * Evidence for a bank that a payment was used: the facts on one or more pages, then the letters. Untagged and unsigned;
 * the address printed on a letter shows whether it is genuine.
 */
export async function evidencePdf(input: EvidencePdfInput): Promise<Uint8Array<ArrayBuffer>> {
  const file = new PdfFile()
  const shaper = new Shaper(await loadFaces())
  const fonts = new EmbeddedFonts(file, shaper.faces)
  const sheets: { canvas: Canvas; images: string[] }[] = []
  // Required for drawing; discarded.
  const newPage = (images: string[] = []) => {
    const tags = new Tags(new PdfFile())
    const canvas = new Canvas(fonts, tags)
    sheets.push({ canvas, images })
    return { canvas, tags }
  }

  // Without facts, there is no page for them.
  let page = input.sections.length > 0 ? newPage() : undefined
  let y = MARGIN
  const draw = (block: Block) => {
    if (!page) return
    if (y + block.height > PAGE.height - MARGIN) {
      page = newPage()
      y = MARGIN
    }
    drawText(page.canvas, shaper, page.tags.add(page.tags.root, 'P'), block, MARGIN, y)
    y += block.height
  }
  draw(setText(shaper, input.title, COLUMN, title))
  draw(setText(shaper, input.institution, COLUMN, heading))
  for (const { heading: words, lines } of input.sections) {
    y += GAP
    draw(setText(shaper, words, COLUMN, heading))
    for (const line of lines) draw(setText(shaper, line, COLUMN, text))
  }

  for (const { template, letter, rule = DEFAULT_RULE, images: files, mark } of input.letters) {
    const images = await imagesOf(file, { images: files })
    const named = Object.values(images).flatMap(image =>
      image ? [`/${image.name} ${refTo(image.ref)}`] : [],
    )
    drawSheet({ template, letter, rule, images, mark, shaper, ...newPage(named) })
  }
  return await written(file, fonts, sheets, input)
}

async function written(
  file: PdfFile,
  fonts: EmbeddedFonts,
  sheets: readonly { canvas: Canvas; images: string[] }[],
  { title: name, institution, at }: EvidencePdfInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const pages = file.reserve()
  const contents: Ref[] = []
  for (const { canvas } of sheets) contents.push(await file.addStream('', canvas.bytes()))
  const faces = await fonts.write()
  const kids = sheets.map(({ images }, at) =>
    file.add(
      `<</Type/Page/Parent ${refTo(pages)}/MediaBox[0 0 ${num(PAGE.width)} ${num(PAGE.height)}]/Contents ${refTo(contents[at] ?? 0)}` +
        `/Resources<</Font${faces}/XObject<<${images.join('')}>>/ExtGState<</${MULTIPLY}<</Type/ExtGState/BM/Multiply>>>>>>>>`,
    ),
  )
  file.set(pages, `<</Type/Pages/Kids[${kids.map(refTo).join(' ')}]/Count ${kids.length}>>`)
  const root = file.add(
    `<</Type/Catalog/Version/1.7/Pages ${refTo(pages)}/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>>>`,
  )
  const info = file.add(
    `<</Title${textString(name)}/Author${textString(institution)}/CreationDate${dateString(at)}>>`,
  )
  const id = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${name} ${at.toISOString()}`))
  return file.serialize(root, info, new Uint8Array(id).slice(0, 16)).bytes
}
