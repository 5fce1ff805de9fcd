/*
 * The attributes and style properties that a plain SVG drawing needs (SVG 2, appendix "Property index"), each with the grammar
 * of its values. A value that matches contains no string, escape, comment or address, so it cannot hide CSS.
 */

/** A rejected value. */
export interface Refusal {
  /** The feature that is not supported. */
  feature: string
}

const NUMBER = '[+-]?(?:\\d{1,15}(?:\\.\\d{0,20})?|\\.\\d{1,20})(?:e[+-]?\\d{1,2})?(?!\\d)'
const LENGTH = `${NUMBER}(?:px|pt|pc|mm|cm|in|em|ex|%)?`
const COLOUR =
  '[a-z]{1,30}|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\\([\\d\\s.,%/+-]{1,60}(?:deg)?[\\d\\s.,%/+-]{0,60}\\)'

const exact = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'i')
const length = exact(`${LENGTH}|auto|inherit`)
const colour = exact(COLOUR)
const paint = exact(`${COLOUR}|url\\((["']?)#[\\w.:-]{1,100}\\1\\)`)
const keyword = exact('[a-z-]{1,30}')
const keywords = exact('[a-z-]{1,30}(?: +[a-z-]{1,30}){0,3}')
/** Grammars by attribute name, as in SVG; style properties are listed as attributes. */
const GRAMMARS = new Map<string, RegExp>()
const allow = (grammar: RegExp, names: string) => {
  for (const name of names.split(' ')) GRAMMARS.set(name, grammar)
}
allow(length, 'x y width height x1 y1 x2 y2 cx cy r rx ry fx fy fr offset stroke-width stroke-miterlimit')
allow(length, 'opacity fill-opacity stroke-opacity stop-opacity')
allow(paint, 'fill stroke')
allow(colour, 'color stop-color')
allow(keyword, 'fill-rule stroke-linecap stroke-linejoin display visibility gradientUnits spreadMethod')
allow(keyword, 'shape-rendering vector-effect')
allow(keywords, 'paint-order')
allow(exact('none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: +(?:meet|slice))?'), 'preserveAspectRatio')

/**
 * Attributes that have no effect on a drawing without text, links, dashes, clips or style sheets, but that editors write
 * anyway.
 */
const WITHOUT_EFFECT = new Set(
  (
    'class version baseProfile lang role tabindex focusable contentStyleType contentScriptType zoomAndPan ' +
    'enable-background pathLength stroke-dashoffset clip-rule overflow pointer-events cursor isolation line-height ' +
    'white-space word-spacing letter-spacing writing-mode direction unicode-bidi baseline-shift dominant-baseline ' +
    'alignment-baseline glyph-orientation-vertical kerning inline-size shape-margin shape-padding solid-color ' +
    'solid-opacity color-interpolation color-interpolation-filters color-rendering image-rendering flood-color ' +
    'flood-opacity lighting-color'
  ).split(' '),
)
const WITHOUT_EFFECT_FAMILY = /^(?:data-|aria-|font(?:-|$)|text-|-inkscape-)/

/** Properties that are accepted only with the value that turns them off. */
const DISABLING_VALUES = new Map([
  ...['clip-path', 'clip', 'mask', 'filter', 'marker', 'marker-start', 'marker-mid', 'marker-end'].map(
    (name): [string, RegExp] => [name, /^(?:none|auto)$/i],
  ),
  ['stroke-dasharray', /^(?:none|0)$/i],
  ['mix-blend-mode', /^normal$/i],
])

/** Number of arguments of each path command. */
const ARITY: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }
const TOKEN = new RegExp(`[\\s,]*(?:([mlhvcsqtaz])|(${NUMBER}))`, 'iy')
const FLAG = /[\s,]*([01])/y

/** Maximum coordinate. Anything drawn that far away is outside any view. */
const MAX_NUMBER = 1_000_000

const UNIT = /(?:px|pt|pc|mm|cm|in|em|ex|%)$/i
/** True unless the text is a number above the maximum. Words such as `auto` and colours are not numbers. */
const isSmall = (text: string) => !(Math.abs(Number(text)) > MAX_NUMBER)

/** True if path data follows the grammar (SVG 2, 9.3.9), and every command is complete. */
function isPath(data: string): boolean {
  let position = 0
  let command = ''
  let count = 0
  const end = data.trimEnd().length
  while (position < end) {
    const isFlag = command === 'a' && [3, 4].includes(count % 7)
    const token = isFlag ? FLAG : TOKEN
    token.lastIndex = position
    const found = token.exec(data)
    if (!found) return false
    position = token.lastIndex
    if (!isFlag && found[1]) {
      if (!isComplete(command, count) || (command === '' && found[1].toLowerCase() !== 'm')) return false
      command = found[1].toLowerCase()
      count = 0
    } else {
      if (!isSmall(found[2] ?? '0')) return false
      count += 1
    }
  }
  return isComplete(command, count)
}

function isComplete(command: string, count: number): boolean {
  const size = ARITY[command] ?? 0
  return size === 0 ? count === 0 : count > 0 && count % size === 0
}

const NEXT_NUMBER = new RegExp(`[\\s,]*(${NUMBER})`, 'iy')

/**
 * Returns the number of values in a list of numbers; undefined for anything else. Reads token by token, so that there is no
 * backtracking over the list.
 */
function countNumbers(list: string): number | undefined {
  let count = 0
  const end = list.trimEnd().length
  NEXT_NUMBER.lastIndex = 0
  while (NEXT_NUMBER.lastIndex < end) {
    const found = NEXT_NUMBER.exec(list)
    if (!found || !isSmall(found[1] ?? '')) return undefined
    count += 1
  }
  return count
}

const FUNCTION = /(?:matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)[\s,]*/y
const MAX_FUNCTIONS = 20

function isTransform(value: string): boolean {
  FUNCTION.lastIndex = 0
  for (let count = 0; count < MAX_FUNCTIONS; count += 1) {
    const found = FUNCTION.exec(value)
    if (!found || !isInRange(countNumbers(found[1] ?? ''), 1, 6)) return false
    if (FUNCTION.lastIndex === value.length) return true
  }
  return false
}

const isInRange = (count: number | undefined, from: number, to: number) =>
  count !== undefined && count >= from && count <= to

/** Attributes whose values are read token by token. */
const READERS = new Map<string, (value: string) => boolean>([
  ['d', value => value === 'none' || isPath(value)],
  ['points', value => countNumbers(value) !== undefined],
  ['transform', isTransform],
  ['gradientTransform', isTransform],
  ['viewBox', value => isInRange(countNumbers(value), 4, 4)],
])

function isPlainValue(name: string, value: string): boolean {
  const read = READERS.get(name)
  if (read) return read(value)
  return (
    (GRAMMARS.get(name)?.test(value) ?? false) && (!length.test(value) || isSmall(value.replace(UNIT, '')))
  )
}

/** Returns the value to write, undefined if the attribute is to be omitted, or the reason why it is rejected. */
export function toPlainAttribute(name: string, raw: string): string | Refusal | undefined {
  const value = raw.trim()
  if (WITHOUT_EFFECT.has(name) || WITHOUT_EFFECT_FAMILY.test(name)) return undefined
  const offValue = DISABLING_VALUES.get(name)
  if (offValue) return offValue.test(value) ? undefined : { feature: `the attribute ${name}` }
  const isKnown = READERS.has(name) || GRAMMARS.has(name)
  if (!isKnown) return { feature: `the attribute ${name}` }
  if (value === '') return undefined
  return isPlainValue(name, value) ? value : { feature: `an unusual value of the attribute ${name}` }
}

const PROPERTIES =
  /^(?:fill|stroke|stop|opacity|color|display|visibility|paint-order|shape-rendering|vector-effect)/

/** Splits a `style` attribute into the equivalent attributes, for properties that also exist as attributes in SVG. */
export function* splitStyle(style: string): Generator<[name: string, value: string | Refusal | undefined]> {
  for (const declaration of style.split(';')) {
    if (declaration.trim() === '') continue
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const isProperty = PROPERTIES.test(name) || !(GRAMMARS.has(name) || READERS.has(name))
    const value = declaration.slice(colon + 1).replace(/!important\s*$/i, '')
    const plain = isProperty ? toPlainAttribute(name, value) : { refused: name }
    yield [
      name,
      plain === undefined || typeof plain === 'string' ? plain : { feature: `the style “${name}”` },
    ]
  }
}
