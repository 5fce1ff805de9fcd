import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { ImageRefusedError } from './images.ts'
import { type Refusal, splitStyle, toPlainAttribute } from './svg-attributes.ts'

/*
 * Rewrites SVG images, because an SVG can contain active content. What is stored consists only of shapes in plain colours and
 * gradients: it has no CSS, and the only references are from shapes to gradients, which themselves refer to nothing.
 */

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']
const GRADIENTS = ['linearGradient', 'radialGradient']
const TEXT_ELEMENTS = ['title', 'desc']
const CONTENT_ELEMENTS = ['g', 'defs', 'metadata', ...SHAPES, ...GRADIENTS, ...TEXT_ELEMENTS]

/** Child elements that each element may contain. */
const ALLOWED_CHILDREN = new Map<string, readonly string[]>([
  ['', ['svg']],
  ...['svg', 'g', 'defs'].map((name): [string, string[]] => [name, CONTENT_ELEMENTS]),
  ...SHAPES.map((name): [string, string[]] => [name, TEXT_ELEMENTS]),
  ...GRADIENTS.map((name): [string, string[]] => [name, ['stop', ...TEXT_ELEMENTS]]),
])

/** Limits with which even the costliest SVG is drawn fast; `shell/e2e/svg-logos.test.ts` draws it in Chromium. */
const MAX_ELEMENTS = 2000
const MAX_DEPTH = 16
const MAX_STOPS = 1000
/** Maximum number of commands and numbers in all paths and polygons of a drawing. */
const MAX_NUMBERS = 24_000

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
/** Namespaces whose content a browser would show. Editors store their own data in other namespaces. */
const DISPLAYED_NAMESPACES = [SVG, '', 'http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']

const createDamagedError = () => new ImageRefusedError('This SVG is damaged. Please choose another file.')

function createRefusal(what: string): ImageRefusedError {
  return new ImageRefusedError(
    `This SVG uses ${what}, which isn't supported. Export it as plain paths, or upload a PNG.`,
  )
}

function createTooComplexError(): ImageRefusedError {
  return new ImageRefusedError('This SVG is too complex. Simplify its paths, or upload a PNG.')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeText = (text: string) => text.replace(/[&<>"]/g, character => entities[character] ?? '')

interface OpenElement {
  name: string
  /** False for the data of editors, which is checked but not written. */
  isWritten: boolean
}

/** Writes the plain form of an SVG while a parser reads it. */
class Rewriter {
  written = ''
  private readonly open: OpenElement[] = []
  private elements = 0
  private stops = 0
  private numbers = 0

  openTag(tag: SaxesTagNS): void {
    const parent = this.open.at(-1)
    const isDisplayed = DISPLAYED_NAMESPACES.includes(tag.uri)
    if (++this.elements > MAX_ELEMENTS || this.open.length >= MAX_DEPTH) throw createTooComplexError()
    if (!isDisplayed) {
      if (!parent) throw createDamagedError()
      this.open.push({ name: tag.name, isWritten: false })
      return
    }
    if (!parent && tag.local !== 'svg') throw createDamagedError()
    // Within metadata, SVG elements are checked as if they were in a group.
    const parentName = !parent || parent.isWritten ? (parent?.name ?? '') : 'g'
    const isSvg = tag.uri === SVG || tag.uri === ''
    if (!isSvg || !ALLOWED_CHILDREN.get(parentName)?.includes(tag.local))
      throw createRefusal(`<${tag.local}>`)
    if (tag.local === 'stop' && ++this.stops > MAX_STOPS) throw createTooComplexError()
    const isWritten = (parent?.isWritten ?? true) && tag.local !== 'metadata'
    const attributes = this.attributesOf(tag)
    if (isWritten)
      this.written += `<${tag.local}${parent ? '' : ` xmlns="${SVG}"`}${attributes}${tag.isSelfClosing ? '/' : ''}>`
    this.open.push({ name: tag.local, isWritten })
  }

  closeTag(tag: SaxesTagNS): void {
    const closed = this.open.pop()
    if (!closed?.isWritten) return
    if (!tag.isSelfClosing) this.written += `</${closed.name}>`
  }

  text(text: string): void {
    const parent = this.open.at(-1)
    if (parent?.isWritten && TEXT_ELEMENTS.includes(parent.name)) this.written += escapeText(text)
  }

  private attributesOf(tag: SaxesTagNS): string {
    const direct = new Map<string, string>()
    const fromStyle = new Map<string, string>()
    const add = (target: Map<string, string>, name: string, value: string | Refusal | undefined) => {
      if (value === undefined) return
      if (typeof value !== 'string') throw createRefusal(value.feature)
      if (name === 'd' || name === 'points') this.countNumbers(value)
      target.set(name, value)
    }
    for (const { uri, local, value } of Object.values(tag.attributes) as SaxesAttributeNS[]) {
      if (uri === XLINK && local === 'href') throw createRefusal('the attribute xlink:href')
      if (uri !== '') continue
      if (local === 'style') {
        for (const [name, plain] of splitStyle(value)) add(fromStyle, name, plain)
      } else if (local === 'id') {
        // Keeps only the IDs to which a shape can refer; editors also write others.
        if (GRADIENTS.includes(tag.local) && /^[\w.:-]{1,100}$/.test(value)) direct.set('id', value)
      } else add(direct, local, toPlainAttribute(local, value))
    }
    return [...new Map([...direct, ...fromStyle])]
      .map(([name, value]) => ` ${name}="${escapeText(value)}"`)
      .join('')
  }

  private countNumbers(data: string): void {
    this.numbers += data.match(/[a-z]|\d+\.?\d*|\.\d+/gi)?.length ?? 0
    if (this.numbers > MAX_NUMBERS) throw createTooComplexError()
  }
}

/**
 * Rewrites an SVG as shapes with plain attributes. Comments and private data of drawing programs are left out.
 * @throws ImageRefusedError naming the first element or attribute that is not supported; also for entities, for drawings that
 * take long to draw, and for XML that is not well-formed
 */
export function cleanSvg(source: string): string {
  const rewriter = new Rewriter()
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('error', () => {
    throw createDamagedError()
  })
  parser.on('doctype', doctype => {
    if (doctype.includes('[')) throw createRefusal('a document type with declarations')
  })
  parser.on('processinginstruction', ({ target }) => {
    if (/^xml-stylesheet$/i.test(target)) throw createRefusal('<?xml-stylesheet?>')
  })
  parser.on('opentag', tag => rewriter.openTag(tag))
  parser.on('closetag', tag => rewriter.closeTag(tag))
  parser.on('text', text => rewriter.text(text))
  parser.on('cdata', text => rewriter.text(text))
  parser.write(source.replace(/^\uFEFF/, '')).close()
  return rewriter.written
}

/** Decodes a file that is in UTF-8, or in UTF-16 with a byte order mark. @returns undefined for any other encoding */
export function decodeSvgText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** True if the text appears to be an SVG: markup with an `svg` element near its start. */
export function looksLikeSvg(text: string): boolean {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  return start.startsWith('<') && /<(?:[\w.-]+:)?svg[\s>/]/i.test(start.slice(0, 4096))
}
