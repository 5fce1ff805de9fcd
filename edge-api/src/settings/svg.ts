import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { ImageRefused } from './images.ts'
import { plainAttribute, plainStyle, type Refusal } from './svg-attributes.ts'

/*
 * An SVG can contain active content. The stored image is therefore rewritten as shapes in plain colours
 * and gradients: no CSS, and the only references are from shapes to gradients, which refer to nothing.
 */

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']
const GRADIENTS = ['linearGradient', 'radialGradient']
const TEXT_ELEMENTS = ['title', 'desc']
const CONTENT_ELEMENTS = ['g', 'defs', 'metadata', ...SHAPES, ...GRADIENTS, ...TEXT_ELEMENTS]

/** Which elements may contain which. */
const ALLOWED_CHILDREN = new Map<string, readonly string[]>([
  ['', ['svg']],
  ...['svg', 'g', 'defs'].map((name): [string, string[]] => [name, CONTENT_ELEMENTS]),
  ...SHAPES.map((name): [string, string[]] => [name, TEXT_ELEMENTS]),
  ...GRADIENTS.map((name): [string, string[]] => [name, ['stop', ...TEXT_ELEMENTS]]),
])

/** Limits that keep the most costly SVG fast to draw; `shell/e2e/svg-logos.test.ts` draws it in Chromium. */
const MAX_ELEMENTS = 2000
const MAX_DEPTH = 16
const MAX_STOPS = 1000
/** Commands and numbers in the paths and polygons of the whole drawing. */
const MAX_NUMBERS = 24_000

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
/** Namespaces of content that a browser would show; editors keep their own data in any other. */
const DISPLAYED_NAMESPACES = [SVG, '', 'http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']

const damaged = () => new ImageRefused('This SVG is damaged. Please choose another file.')

function refused(what: string): ImageRefused {
  return new ImageRefused(
    `This SVG uses ${what}, which isn't supported. Export it as plain paths, or upload a PNG.`,
  )
}

function tooComplex(): ImageRefused {
  return new ImageRefused('This SVG is too complex. Simplify its paths, or upload a PNG.')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, character => entities[character] ?? '')

interface OpenElement {
  name: string
  /** False for editors' data, which is checked but not written. */
  isWritten: boolean
}

/** Writes the plain form of an SVG while its parser reads it. */
class Rewriter {
  written = ''
  private readonly open: OpenElement[] = []
  private elements = 0
  private stops = 0
  private numbers = 0

  openTag(tag: SaxesTagNS): void {
    const parent = this.open.at(-1)
    const isDisplayed = DISPLAYED_NAMESPACES.includes(tag.uri)
    if (++this.elements > MAX_ELEMENTS || this.open.length >= MAX_DEPTH) throw tooComplex()
    if (!isDisplayed) {
      if (!parent) throw damaged()
      this.open.push({ name: tag.name, isWritten: false })
      return
    }
    if (!parent && tag.local !== 'svg') throw damaged()
    // In metadata, plain elements are checked like those in a group.
    const within = !parent || parent.isWritten ? (parent?.name ?? '') : 'g'
    const isSvg = tag.uri === SVG || tag.uri === ''
    if (!isSvg || !ALLOWED_CHILDREN.get(within)?.includes(tag.local)) throw refused(`<${tag.local}>`)
    if (tag.local === 'stop' && ++this.stops > MAX_STOPS) throw tooComplex()
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
    if (parent?.isWritten && TEXT_ELEMENTS.includes(parent.name)) this.written += escaped(text)
  }

  private attributesOf(tag: SaxesTagNS): string {
    const found = new Map<string, string>()
    const declared = new Map<string, string>()
    const add = (into: Map<string, string>, name: string, value: string | Refusal | undefined) => {
      if (value === undefined) return
      if (typeof value !== 'string') throw refused(value.refused)
      if (name === 'd' || name === 'points') this.count(value)
      into.set(name, value)
    }
    for (const { uri, local, value } of Object.values(tag.attributes) as SaxesAttributeNS[]) {
      if (uri === XLINK && local === 'href') throw refused('the attribute xlink:href')
      if (uri !== '') continue
      if (local === 'style') {
        for (const [name, plain] of plainStyle(value)) add(declared, name, plain)
      } else if (local === 'id') {
        // Only IDs that a shape can refer to are kept; editors also write others.
        if (GRADIENTS.includes(tag.local) && /^[\w.:-]{1,100}$/.test(value)) found.set('id', value)
      } else add(found, local, plainAttribute(local, value))
    }
    return [...new Map([...found, ...declared])]
      .map(([name, value]) => ` ${name}="${escaped(value)}"`)
      .join('')
  }

  private count(data: string): void {
    this.numbers += data.match(/[a-z]|\d+\.?\d*|\.\d+/gi)?.length ?? 0
    if (this.numbers > MAX_NUMBERS) throw tooComplex()
  }
}

/**
 * Rewrites an SVG as shapes with plain attributes. Comments and private data of drawing programs are left out.
 * @throws {ImageRefused} naming the first element or attribute that is not supported; for entities, for drawings that
 * take long to draw, and for XML that is not well-formed
 */
export function cleanSvg(source: string): string {
  const rewriter = new Rewriter()
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('error', () => {
    throw damaged()
  })
  parser.on('doctype', doctype => {
    if (doctype.includes('[')) throw refused('a document type with declarations')
  })
  parser.on('processinginstruction', ({ target }) => {
    if (/^xml-stylesheet$/i.test(target)) throw refused('<?xml-stylesheet?>')
  })
  parser.on('opentag', tag => rewriter.openTag(tag))
  parser.on('closetag', tag => rewriter.closeTag(tag))
  parser.on('text', text => rewriter.text(text))
  parser.on('cdata', text => rewriter.text(text))
  parser.write(source.replace(/^\uFEFF/, '')).close()
  return rewriter.written
}

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark; undefined for any other encoding. */
export function svgText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns whether the text is meant as an SVG: markup that has an `svg` element near its start. */
export function looksLikeSvg(text: string): boolean {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  return start.startsWith('<') && /<(?:[\w.-]+:)?svg[\s>/]/i.test(start.slice(0, 4096))
}
