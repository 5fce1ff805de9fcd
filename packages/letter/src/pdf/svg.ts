import { formatNumber } from './file.ts'
import { pathOperators } from './svg-path.ts'

/*
 * Converts the subset of SVG that logos use: shapes, groups, transforms, and fills and strokes in plain colours. An image with
 * anything else (text, gradients, filters, references, style sheets) is rejected rather than drawn in part.
 */

type Matrix = readonly [number, number, number, number, number, number]
const parseNumbers = (text: string) =>
  (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number)

function parseMatrix(name: string, v: number[]): Matrix {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = v
  const [sin, cos] = [Math.sin((a * Math.PI) / 180), Math.cos((a * Math.PI) / 180)]
  if (name === 'matrix') return [a, b, c, d, e, f]
  if (name === 'translate') return [1, 0, 0, 1, a, b]
  if (name === 'scale') return [a, 0, 0, v.length > 1 ? b : a, 0, 0]
  if (name === 'rotate') return [cos, sin, -sin, cos, b - b * cos + c * sin, c - b * sin - c * cos]
  if (name === 'skewX') return [1, 0, Math.tan((a * Math.PI) / 180), 1, 0, 0]
  if (name === 'skewY') return [1, Math.tan((a * Math.PI) / 180), 0, 1, 0, 0]
  throw new Error(`the transform ${name}`)
}

const convertTransforms = (text: string) =>
  [...text.matchAll(/(\w+)\s*\(([^)]*)\)/g)]
    .map(
      ([, name = '', values = '']) =>
        `${parseMatrix(name, parseNumbers(values))
          .map(value => value.toFixed(5))
          .join(' ')} cm`,
    )
    .join('\n')

const colourNames: Record<string, string> = {
  black: '000000',
  white: 'ffffff',
  red: 'ff0000',
  green: '008000',
  blue: '0000ff',
  gold: 'ffd700',
  maroon: '800000',
  navy: '000080',
  gray: '808080',
  grey: '808080',
  currentcolor: '000000',
}

/** Parses a colour as `r g b`, each from 0 to 1; returns undefined for `none`. */
function parseColour(text: string): string | undefined {
  const value = text.trim().toLowerCase()
  if (value === 'none' || value === 'transparent') return undefined
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1] ?? colourNames[value]
  if (hex) {
    const sixDigits = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex
    return [0, 2, 4]
      .map(index => formatNumber(Number.parseInt(sixDigits.slice(index, index + 2), 16) / 255))
      .join(' ')
  }
  const parts = /^rgb\(([^)]*)\)$/.exec(value)?.[1]
  if (parts)
    return parseNumbers(parts)
      .map(part => formatNumber(part / 255))
      .join(' ')
  throw new Error(`the colour ${value}`)
}

type Attributes = Record<string, string>

/** Returns the attributes of a tag, in which the properties of `style` take precedence. */
function parseAttributes(text: string): Attributes {
  const attributes: Attributes = {}
  for (const [, name = '', , double, single] of text.matchAll(/([\w:-]+)\s*=\s*("([^"]*)"|'([^']*)')/g))
    attributes[name] = double ?? single ?? ''
  for (const part of (attributes.style ?? '').split(';')) {
    const [name = '', value] = part.split(':')
    if (value !== undefined) attributes[name.trim()] = value.trim()
  }
  return attributes
}

function toPathData(tag: string, attributes: Attributes): string {
  const value = (name: string) => Number.parseFloat(attributes[name] ?? '0') || 0
  const ellipsePath = (cx: number, cy: number, rx: number, ry: number) =>
    `M${cx + rx} ${cy}a${rx} ${ry} 0 1 1 ${-2 * rx} 0a${rx} ${ry} 0 1 1 ${2 * rx} 0z`
  if (tag === 'path') return attributes.d ?? ''
  if (tag === 'circle') return ellipsePath(value('cx'), value('cy'), value('r'), value('r'))
  if (tag === 'ellipse') return ellipsePath(value('cx'), value('cy'), value('rx'), value('ry'))
  if (tag === 'line') return `M${value('x1')} ${value('y1')}L${value('x2')} ${value('y2')}`
  if (tag === 'polygon' || tag === 'polyline')
    return `M${parseNumbers(attributes.points ?? '').join(' ')}${tag === 'polygon' ? 'z' : ''}`
  const [x, y, width, height] = [value('x'), value('y'), value('width'), value('height')]
  const rx = Math.min(value(attributes.rx === undefined ? 'ry' : 'rx'), width / 2)
  const ry = Math.min(value(attributes.ry === undefined ? 'rx' : 'ry'), height / 2)
  if (rx === 0 || ry === 0) return `M${x} ${y}h${width}v${height}h${-width}z`
  const [w, h] = [width - 2 * rx, height - 2 * ry]
  return `M${x + rx} ${y}h${w}a${rx} ${ry} 0 0 1 ${rx} ${ry}v${h}a${rx} ${ry} 0 0 1 ${-rx} ${ry}h${-w}a${rx} ${ry} 0 0 1 ${-rx} ${-ry}v${-h}a${rx} ${ry} 0 0 1 ${rx} ${-ry}z`
}

const SHAPES = new Set(['path', 'circle', 'ellipse', 'line', 'polygon', 'polyline', 'rect'])
const INVISIBLE_ELEMENTS = new Set(['title', 'desc', 'metadata'])
/** Attributes that elements inherit from their group. */
const INHERITED_ATTRIBUTES = [
  'fill',
  'stroke',
  'stroke-width',
  'fill-rule',
  'stroke-linecap',
  'stroke-linejoin',
  'color',
]
const LINE_CAPS: Record<string, number> = { round: 1, square: 2 }
const LINE_JOINS: Record<string, number> = { round: 1, bevel: 2 }

function convertShape(tag: string, attributes: Attributes): string {
  if (
    (attributes.opacity ?? '1') !== '1' ||
    (attributes['fill-opacity'] ?? '1') !== '1' ||
    (attributes['stroke-opacity'] ?? '1') !== '1'
  )
    throw new Error('opacity')
  const current = attributes.color ?? 'black'
  const paint = (text: string) => parseColour(text.trim().toLowerCase() === 'currentcolor' ? current : text)
  const fill = tag === 'line' ? undefined : paint(attributes.fill ?? 'black')
  const stroke = paint(attributes.stroke ?? 'none')
  const evenOdd = attributes['fill-rule'] === 'evenodd' ? '*' : ''
  const operator = fill && stroke ? `B${evenOdd}` : fill ? `f${evenOdd}` : stroke ? 'S' : 'n'
  return [
    ...(fill ? [`${fill} rg`] : []),
    ...(stroke
      ? [
          `${stroke} RG ${formatNumber(Number.parseFloat(attributes['stroke-width'] ?? '1'))} w`,
          `${LINE_CAPS[attributes['stroke-linecap'] ?? ''] ?? 0} J ${LINE_JOINS[attributes['stroke-linejoin'] ?? ''] ?? 0} j`,
        ]
      : []),
    pathOperators(toPathData(tag, attributes)),
    operator,
  ].join('\n')
}

/**
 * Converts an SVG drawing.
 * @returns its size in its own units, and the operators that draw it from its top left corner, with y pointing down
 * @throws Error for unsupported content
 */
export function readSvg(source: string): { width: number; height: number; operators: string } {
  const text = source.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>]*>/gi, '')
  const out: string[] = []
  const openElements: { tag: string; inheritable: Attributes }[] = []
  let size: { width: number; height: number } | undefined
  let invisibleDepth = 0
  for (const [, closing, tag = '', attributeText = '', empty] of text.matchAll(
    /<(\/?)([\w:-]+)([^>]*?)(\/?)>/g,
  )) {
    if (closing) {
      if (INVISIBLE_ELEMENTS.has(tag)) invisibleDepth -= 1
      else if (invisibleDepth === 0) {
        openElements.pop()
        out.push('Q')
      }
      continue
    }
    if (INVISIBLE_ELEMENTS.has(tag)) {
      if (!empty) invisibleDepth += 1
      continue
    }
    if (invisibleDepth > 0) continue
    const attributes = parseAttributes(attributeText)
    const inherited = openElements.at(-1)?.inheritable ?? {}
    const inheritable = {
      ...inherited,
      ...Object.fromEntries(
        INHERITED_ATTRIBUTES.flatMap(name =>
          attributes[name] === undefined ? [] : [[name, attributes[name]]],
        ),
      ),
    }
    const transform = attributes.transform ? `${convertTransforms(attributes.transform)}\n` : ''
    if (tag === 'svg' && !size) {
      const [x = 0, y = 0, width = 0, height = 0] = attributes.viewBox
        ? parseNumbers(attributes.viewBox)
        : [0, 0, Number.parseFloat(attributes.width ?? ''), Number.parseFloat(attributes.height ?? '')]
      if (!(width > 0 && height > 0)) throw new Error('no size')
      size = { width, height }
      out.push(`q 1 0 0 1 ${formatNumber(-x)} ${formatNumber(-y)} cm`)
    } else if (tag === 'g' || tag === 'a') out.push(`q\n${transform}`)
    else if (SHAPES.has(tag)) {
      out.push(`q\n${transform}${convertShape(tag, { ...attributes, ...inheritable })}`)
      if (empty) {
        out.push('Q')
        continue
      }
    } else throw new Error(`the element ${tag}`)
    if (empty) out.push('Q')
    else openElements.push({ tag, inheritable })
  }
  if (!size || openElements.length > 0) throw new Error('not a drawing')
  return { ...size, operators: out.join('\n') }
}
