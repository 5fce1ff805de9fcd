import { ImageRefused } from './images.ts'

/*
 * An SVG is a document that can run and fetch things. What is kept is written anew from the elements and attributes
 * that draw, and nothing else; what would act is refused, so that nobody wonders where it went.
 */

const ELEMENTS = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan ' +
    'linearGradient radialGradient stop clipPath mask pattern style'
  ).split(' '),
)

const ATTRIBUTES = new Set(
  (
    'id class viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform pathLength ' +
    'preserveAspectRatio version fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap ' +
    'stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility ' +
    'clip-path clip-rule mask offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod ' +
    'clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform dx dy rotate ' +
    'font-family font-size font-weight font-style text-anchor letter-spacing dominant-baseline textLength ' +
    'paint-order vector-effect shape-rendering style role aria-label'
  ).split(' '),
)

/** Acts, or fetches: never dropped in silence. */
const ACTING = new Set(['script', 'foreignObject', 'iframe', 'image', 'a', 'audio', 'video', 'handler'])
const ANIMATED = /^(?:animate\w*|set)$/

const refuse = (why: string) => new ImageRefused(`${why} Please choose an SVG that only draws, or a PNG.`)
const damaged = () => new ImageRefused('This SVG is damaged. Please choose another file.')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text behind XML's own entities; any other one would come from a document type. */
function decoded(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|\w+);?/gi, (whole, name: string) => {
    const numbered = /^#(x?)([0-9a-f]+)$/i.exec(name)
    const code = numbered ? Number.parseInt(numbered[2] ?? '', numbered[1] ? 16 : 10) : undefined
    const letter =
      code === undefined ? entities[name] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined
    if (letter === undefined || !whole.endsWith(';')) throw damaged()
    return letter
  })
}

const encoded = (text: string) =>
  text.replace(/[&<>"]/g, letter => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? '')

/** Refuses what would reach outside: `url(…)` of anything but a part of this image, imports, escapes that hide them. */
function refuseReaching(value: string): void {
  const plain = value.replace(/\/\*[\s\S]*?\*\//g, '')
  for (const [, target = ''] of plain.matchAll(/url\(\s*["']?([^)"']*)/gi)) {
    if (!target.startsWith('#')) throw refuse('This SVG fetches something from elsewhere.')
  }
  if (/@import|\\|expression\(|javascript:|-moz-binding|image-set|src\(/i.test(plain))
    throw refuse('This SVG fetches or runs something.')
}

function attributeOf(name: string, raw: string): string {
  const value = decoded(raw)
  if (/^on/i.test(name)) throw refuse('This SVG runs a script.')
  if (name === 'href' || name === 'xlink:href') {
    if (!value.startsWith('#')) throw refuse('This SVG refers to something outside itself.')
    return ` href="${encoded(value)}"`
  }
  if (!ATTRIBUTES.has(name)) return ''
  refuseReaching(value)
  return ` ${name}="${encoded(value)}"`
}

const NAME = '[A-Za-z_][\\w.:-]*'
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const TAG = new RegExp(`<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y')
/** The declaration and comments, which say nothing that is drawn. */
const SKIPPED = /<\?xml\s[^?]*\?>|<!--(?:(?!--)[\s\S])*-->/y

/** Attributes as they will stand, or why not. */
function attributesOf(text: string): string {
  const seen = new Set<string>()
  let written = ''
  ATTRIBUTE.lastIndex = 0
  for (let found = ATTRIBUTE.exec(text); found; found = ATTRIBUTE.exec(text)) {
    const [, name = '', double, single] = found
    if (seen.has(name)) throw damaged()
    seen.add(name)
    written += attributeOf(name, double ?? single ?? '')
  }
  return written
}

/** The markup, tag by tag and text by text. */
function* tokens(source: string): Generator<RegExpExecArray | string> {
  let at = 0
  while (at < source.length) {
    if (source[at] !== '<') {
      const next = source.indexOf('<', at)
      yield source.slice(at, next < 0 ? undefined : next)
      at = next < 0 ? source.length : next
      continue
    }
    if (source.startsWith('<![CDATA[', at)) {
      const end = source.indexOf(']]>', at)
      if (end < 0) throw damaged()
      yield encoded(source.slice(at + 9, end))
      at = end + 3
      continue
    }
    SKIPPED.lastIndex = at
    TAG.lastIndex = at
    const skipped = SKIPPED.exec(source)
    const tag = skipped ? undefined : TAG.exec(source)
    if (!skipped && !tag) {
      if (/^<!(?:doctype|entity)/i.test(source.slice(at))) throw refuse('This SVG declares a document type.')
      throw damaged()
    }
    if (tag) yield tag
    at += (skipped ?? tag)?.[0].length ?? 1
  }
}

/**
 * The SVG written anew with nothing in it but what draws. Elements and attributes of drawing programs are left out.
 * @throws {ImageRefused} for scripts, event handlers, references to anything outside, embedded documents and images,
 * document types, and what is no well-formed XML
 */
export function cleanSvg(source: string): string {
  const open: { name: string; kept: boolean }[] = []
  let written = ''
  let roots = 0
  for (const token of tokens(source.replace(/^\uFEFF/, ''))) {
    const parent = open.at(-1)
    if (typeof token === 'string') {
      if (!parent && token.trim() !== '') throw damaged()
      if (parent?.kept) written += textOf(parent.name, token)
      continue
    }
    const [, closing, name = '', attributes = '', empty] = token
    const local = name.slice(name.lastIndexOf(':') + 1)
    if (closing) {
      if (parent?.name !== name) throw damaged()
      open.pop()
      if (parent.kept) written += `</${name}>`
      continue
    }
    if (ACTING.has(local) || ANIMATED.test(local)) throw refuse(`This SVG has a <${local}> element.`)
    if (open.length === 0 && (name !== 'svg' || ++roots > 1)) throw damaged()
    // What stands inside something left out is left out too, yet looked at.
    const kept = (parent?.kept ?? true) && ELEMENTS.has(name)
    const kind = attributesOf(attributes)
    if (kept) {
      const namespace = open.length === 0 ? ' xmlns="http://www.w3.org/2000/svg"' : ''
      written += `<${name}${namespace}${kind}${empty ? '/' : ''}>`
    }
    if (!empty) open.push({ name, kept })
  }
  if (open.length > 0 || roots === 0) throw damaged()
  return written
}

function textOf(parent: string, text: string): string {
  const value = decoded(text)
  if (parent === 'style') refuseReaching(value)
  return encoded(value)
}

/** True when the text can be meant as an SVG: its first element is one, whatever stands before. */
export function looksLikeSvg(text: string): boolean {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  return start.startsWith('<') && /<svg[\s>]/i.test(start.slice(0, 4096))
}
