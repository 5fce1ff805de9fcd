import { Canvas, type Colour, MULTIPLY, PAGE_SIZE } from './canvas.ts'
import { loadFaces } from './faces.ts'
import { dateString, formatNumber, PdfFile, type Ref, refTo, textString } from './file.ts'
import { Flow, type TextTable } from './flow.ts'
import { EmbeddedFonts } from './fonts.ts'
import { addImages, DEFAULT_RULE_COLOUR, type LetterPdfInput } from './letter-pdf.ts'
import { drawSheet } from './sheet.ts'
import { Tags } from './tags.ts'
import { Shaper } from './text.ts'

export interface EvidenceSection {
  heading?: string
  lines?: readonly string[]
  facts?: readonly (readonly [label: string, value: string])[]
  table?: TextTable
}

export interface EvidencePdfInput {
  title: string
  institution: string
  /** Lines of the address below the institution's name. */
  address?: readonly string[]
  /** The institution's colour, for the rules and its name. */
  rule?: Colour | undefined
  sections: readonly EvidenceSection[]
  /** Letters with their current status, one per page. */
  letters: readonly (Pick<LetterPdfInput, 'template' | 'letter' | 'rule' | 'images'> & {
    watermark?: string
  })[]
  at: Date
}

/**
 * Creates a document of the institution as evidence for a bank: facts and tables on one or more pages, followed by letters. It
 * is neither tagged nor signed; whether a letter is genuine can be checked at the address printed on it.
 */
export async function buildEvidencePdf(input: EvidencePdfInput): Promise<Uint8Array<ArrayBuffer>> {
  const file = new PdfFile()
  const shaper = new Shaper(await loadFaces())
  const fonts = new EmbeddedFonts(file, shaper.faces)
  const sheets: { canvas: Canvas; images: string[] }[] = []
  // Drawing requires a structure tree, which is discarded because the document is not tagged.
  const newPage = (images: string[] = []) => {
    const tags = new Tags(new PdfFile())
    const canvas = new Canvas(fonts, tags)
    sheets.push({ canvas, images })
    return { canvas, tags }
  }

  // Without sections, the document has only the letters.
  if (input.sections.length > 0) {
    const flow = new Flow(shaper, newPage)
    flow.addLetterhead(input.institution, input.address ?? [], input.rule ?? DEFAULT_RULE_COLOUR)
    flow.addTitle(input.title)
    for (const { heading, lines = [], facts = [], table } of input.sections) {
      if (heading !== undefined) flow.addHeading(heading)
      for (const line of lines) flow.addLine(line)
      flow.addFacts(facts)
      if (table) flow.addTable(table)
    }
    flow.addPageNumbers(input.title)
  }

  for (const { template, letter, rule = DEFAULT_RULE_COLOUR, images: files, watermark } of input.letters) {
    const images = await addImages(file, { images: files })
    const resources = Object.values(images).flatMap(image =>
      image ? [`/${image.name} ${refTo(image.ref)}`] : [],
    )
    drawSheet({ template, letter, rule, images, watermark, shaper, ...newPage(resources) })
  }
  return await assemble(file, fonts, sheets, input)
}

async function assemble(
  file: PdfFile,
  fonts: EmbeddedFonts,
  sheets: readonly { canvas: Canvas; images: string[] }[],
  { title: name, institution, at }: EvidencePdfInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const pages = file.reserve()
  const contents: Ref[] = []
  for (const { canvas } of sheets) contents.push(await file.addStream('', canvas.bytes()))
  const faces = await fonts.write()
  const kids = sheets.map(({ images }, index) =>
    file.add(
      `<</Type/Page/Parent ${refTo(pages)}/MediaBox[0 0 ${formatNumber(PAGE_SIZE.width)} ${formatNumber(PAGE_SIZE.height)}]/Contents ${refTo(contents[index] ?? 0)}` +
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
