import type { VerificationTemplate } from '@portal/contract/letter'
import type { PrintedLink } from '../code.ts'
import { encodeLatin1, toHex } from './bytes.ts'
import { Canvas, type Colour, MULTIPLY, PAGE_SIZE } from './canvas.ts'
import { loadFaces } from './faces.ts'
import { dateString, formatNumber, PdfFile, type Ref, refTo, textString } from './file.ts'
import { EmbeddedFonts } from './fonts.ts'
import { addImage, type ImageFile } from './image.ts'
import { drawSheet } from './sheet.ts'
import type { LinkRectangle } from './sheet-parts.ts'
import { Tags } from './tags.ts'
import { Shaper } from './text.ts'

export interface LetterPdfInput {
  template: VerificationTemplate
  letter: PrintedLink
  issuedAt: Date
  /** The institution's accent colour, dark enough to be seen on white paper. */
  rule?: Colour
  images: { logo: ImageFile | null; signature: ImageFile | null; stamp: ImageFile | null }
  /** The letter as a verifiable credential, which is attached to the PDF. */
  credential: string
  /** Time of signing. */
  signedAt: Date
  /** True if a timestamp may be added to the signature, which then needs more space. */
  timestamped?: boolean
}

/** A PDF with space for its signature (ISO 32000-1, 12.8). */
export interface UnsignedPdf {
  bytes: Uint8Array<ArrayBuffer>
  /** Start and length of the two signed ranges, which cover everything except the signature itself. */
  range: readonly [number, number, number, number]
}

/**
 * Returns the number of bytes reserved for the signature: it takes about 1.5 kB with the certificate, and a timestamp up to 12
 * kB more.
 */
const signatureSpaceOf = ({ timestamped }: LetterPdfInput) => (timestamped ? 16_384 : 4096)

/** Default colour of rules and the institution's name. */
export const DEFAULT_RULE_COLOUR = '#14532d'

/**
 * Builds the official letter as one tagged A4 page (PDF 1.7) with embedded fonts and the credential attached, ready to be
 * signed. For the same input, the output is always the same.
 */
export async function buildLetterPdf(input: LetterPdfInput): Promise<UnsignedPdf> {
  const { template, letter, issuedAt } = input
  const file = new PdfFile()
  const shaper = new Shaper(await loadFaces())
  const fonts = new EmbeddedFonts(file, shaper.faces)
  const tags = new Tags(file)
  const canvas = new Canvas(fonts, tags)
  const page = file.reserve()

  const images = await addImages(file, input)
  const link = drawSheet({ ...input, rule: input.rule ?? DEFAULT_RULE_COLOUR, images, shaper, canvas, tags })

  const contents = await file.addStream('', canvas.bytes())
  const annotations = [addLink(file, tags, letter, link, page)]
  const signature = file.reserve()
  const field = addSignatureField(file, tags, signature, page)
  annotations.push(field)
  const pages = file.reserve()
  const imageResources = Object.values(images).flatMap(image =>
    image ? [`/${image.name} ${refTo(image.ref)}`] : [],
  )
  file.set(
    page,
    `<</Type/Page/Parent ${refTo(pages)}/MediaBox[0 0 ${formatNumber(PAGE_SIZE.width)} ${formatNumber(PAGE_SIZE.height)}]/Contents ${refTo(contents)}` +
      `/Resources<</Font${await fonts.write()}/XObject<<${imageResources.join('')}>>/ExtGState<</${MULTIPLY}<</Type/ExtGState/BM/Multiply>>>>>>` +
      `/Annots[${annotations.map(refTo).join(' ')}]/StructParents 0/Tabs/S>>`,
  )
  file.set(pages, `<</Type/Pages/Kids[${refTo(page)}]/Count 1>>`)

  const attachment = await addCredential(file, input)
  const title = `Verification letter ${template.header.ref_number}`
  const metadata = await file.addStream('/Type/Metadata/Subtype/XML', buildXmp(input, title), true)
  const structure = tags.write(page)
  const name = textString(`verification-credential-${letter.code}.jwt`)
  const root = file.add(
    `<</Type/Catalog/Version/1.7/Pages ${refTo(pages)}/Lang(en)/MarkInfo<</Marked true>>/StructTreeRoot ${refTo(structure)}` +
      `/ViewerPreferences<</DisplayDocTitle true>>/Metadata ${refTo(metadata)}/AF[${refTo(attachment)}]` +
      `/Names<</EmbeddedFiles<</Names[${name} ${refTo(attachment)}]>>>>` +
      `/AcroForm<</Fields[${refTo(field)}]/SigFlags 3>>/Perms<</DocMDP ${refTo(signature)}>>>>`,
  )
  const info = file.add(
    `<</Title${textString(title)}/Author${textString(template.header.institution)}/Subject${textString(template.subject)}` +
      `/CreationDate${dateString(issuedAt)}/ModDate${dateString(issuedAt)}>>`,
  )
  file.set(signature, signatureDictionary(input))
  const id = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(`${letter.code} ${letter.status}`),
  )
  const { bytes, offsetOf } = file.serialize(root, info, new Uint8Array(id).slice(0, 16))
  return writeByteRange(bytes, offsetOf(signature), signatureSpaceOf(input))
}

/** Adds a letter's images to the file, with the names by which its page refers to them. */
export async function addImages(file: PdfFile, { images }: Pick<LetterPdfInput, 'images'>) {
  const add = async (image: ImageFile | null, name: string) => {
    const added = image && (await addImage(file, image))
    return added ? { ...added, name } : undefined
  }
  return {
    logo: await add(images.logo, 'logo'),
    signature: await add(images.signature, 'signature'),
    stamp: await add(images.stamp, 'stamp'),
  }
}

/** Adds the annotation that links to the letter's public page. In the structure, it precedes the text of the link. */
function addLink(file: PdfFile, tags: Tags, { url }: PrintedLink, area: LinkRectangle, page: Ref): Ref {
  const ref = file.reserve()
  const element = tags.find('Link') ?? tags.add(tags.root, 'Link')
  const rect = [
    area.x,
    PAGE_SIZE.height - area.y - area.height,
    area.x + area.width,
    PAGE_SIZE.height - area.y,
  ]
  file.set(
    ref,
    `<</Type/Annot/Subtype/Link/Rect[${rect.map(formatNumber).join(' ')}]/Border[0 0 0]/F 4/P ${refTo(page)}` +
      `/Contents${textString('Check this letter')}/A<</S/URI/URI${textString(url)}>>/StructParent ${tags.addAnnotation(element, ref)}>>`,
  )
  return ref
}

/** Adds the form field for the signature. It has no size, because the signature is invisible. */
function addSignatureField(file: PdfFile, tags: Tags, signature: Ref, page: Ref): Ref {
  const ref = file.reserve()
  const element = tags.add(tags.root, 'Form', { alt: 'Electronic signature of the institution' })
  file.set(
    ref,
    `<</Type/Annot/Subtype/Widget/FT/Sig/T(signature)/TU${textString('Electronic signature of the institution')}` +
      `/V ${refTo(signature)}/F 132/Rect[0 0 0 0]/P ${refTo(page)}/StructParent ${tags.addAnnotation(element, ref)}>>`,
  )
  return ref
}

const RANGE_PLACEHOLDER = '0 0000000000 0000000000 0000000000'

/**
 * Returns the signature dictionary (PAdES, ETSI EN 319 142-1), which contains the time of signing and forbids later changes.
 */
function signatureDictionary(input: LetterPdfInput): string {
  const { template, signedAt, letter } = input
  return (
    `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/Name${textString(template.header.institution)}` +
    `/Reason${textString(`Verification letter ${template.header.ref_number}`)}/M${dateString(signedAt)}` +
    '/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P 1/V/1.2>>>>]' +
    `/PortalLetter(${letter.code})/ByteRange[${RANGE_PLACEHOLDER}]/Contents<${'0'.repeat(2 * signatureSpaceOf(input))}>>>`
  )
}

/** Writes the signed byte ranges into the signature dictionary. */
function writeByteRange(bytes: Uint8Array<ArrayBuffer>, signatureOffset: number, space: number): UnsignedPdf {
  const text = String.fromCharCode(...bytes.subarray(signatureOffset, signatureOffset + 2048))
  const rangeOffset = signatureOffset + text.indexOf('/ByteRange[') + '/ByteRange['.length
  const start = signatureOffset + text.indexOf('/Contents<') + '/Contents'.length
  const end = start + 2 + 2 * space
  const range = [0, start, end, bytes.length - end] as const
  const [, a, b, c] = range.map(value => String(value).padStart(10, '0'))
  bytes.set(encodeLatin1(`0 ${a} ${b} ${c}`), rangeOffset)
  return { bytes, range }
}

/** Returns the bytes that are to be signed. */
export function signedBytes({
  bytes,
  range: [, firstLength, secondStart, secondLength],
}: UnsignedPdf): Uint8Array<ArrayBuffer> {
  const signed = new Uint8Array(firstLength + secondLength)
  signed.set(bytes.subarray(0, firstLength))
  signed.set(bytes.subarray(secondStart, secondStart + secondLength), firstLength)
  return signed
}

/**
 * Inserts a CMS signature (DER) into the space reserved for it.
 * @throws Error if it does not fit
 */
export function sealPdf({ bytes, range }: UnsignedPdf, cms: Uint8Array): Uint8Array<ArrayBuffer> {
  const [, start, end] = range
  if (2 * cms.length > end - start - 2)
    throw new Error(`A signature of ${cms.length} bytes does not fit into the PDF.`)
  const sealed = bytes.slice()
  sealed.set(encodeLatin1(toHex(cms)), start + 1)
  return sealed
}

async function addCredential(file: PdfFile, { credential, letter, issuedAt }: LetterPdfInput): Promise<Ref> {
  const bytes = encodeLatin1(credential)
  const params = `/Params<</Size ${bytes.length}/ModDate${dateString(issuedAt)}>>`
  // Not compressed: a token hardly shrinks, and this way all files of one letter have the same length.
  const entries = `/Type/EmbeddedFile/Subtype/application#2Fvc+jwt${params}`
  const stream = await file.addStream(entries, bytes, true)
  const name = textString(`verification-credential-${letter.code}.jwt`)
  return file.add(
    `<</Type/Filespec/F${name}/UF${name}/Desc${textString('This letter as a verifiable credential')}/AFRelationship/Alternative` +
      `/EF<</F ${refTo(stream)}/UF ${refTo(stream)}>>>>`,
  )
}

const escapeXml = (text: string) =>
  text.replace(/[&<>]/g, letter => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[letter] ?? letter)

/** Returns the XMP metadata. It is not compressed, so that any tool can find it. */
function buildXmp({ template, issuedAt }: LetterPdfInput, title: string): Uint8Array<ArrayBuffer> {
  const at = issuedAt.toISOString().replace(/\.\d+/, '')
  const languageEntry = (text: string) =>
    `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`
  return new TextEncoder().encode(`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:format>application/pdf</dc:format><dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>
<dc:title>${languageEntry(title)}</dc:title><dc:description>${languageEntry(template.subject)}</dc:description>
<dc:creator><rdf:Seq><rdf:li>${escapeXml(template.header.institution)}</rdf:li></rdf:Seq></dc:creator>
<xmp:CreateDate>${at}</xmp:CreateDate><xmp:ModifyDate>${at}</xmp:ModifyDate>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`)
}
