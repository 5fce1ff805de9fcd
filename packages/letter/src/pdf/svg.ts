import { formatNumber } from './file.ts'
import { pathOperators } from './shape.ts'

/*
 * Converts the subset of SVG that logos use: shapes, groups, transforms, and fills and strokes in plain colours. An image with
 * anything else (text, gradients, filters, references, style sheets) is rejected rather than drawn in part.
 */

type Matrix = readonly [number, number, number, number, number, number]
const numbers = (text: string) => (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number)

function matrixOf(name: string, v: number[]): Matrix {
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

const transforms = (text: string) =>
  [...text.matchAll(/(\w+)\s*\(([^)]*)\)/g)]
    .map(
      ([, name = '', values = '']) =>
        `${matrixOf(name, numbers(values))
          .map(value => value.toFixed(5))
          .join(' ')} cm`,
    )
    .join('\n')

const names: Record<string, string> = {
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
function colour(text: string): string | undefined {
  const value = text.trim().toLowerCase()
  if (value === 'none' || value === 'transparent') return undefined
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1] ?? names[value]
  if (hex) {
    const wide = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex
    return [0, 2, 4].map(at => formatNumber(Number.parseInt(wide.slice(at, at + 2), 16) / 255)).join(' ')
  }
  const parts = /^rgb\(([^)]*)\)$/.exec(value)?.[1]
  if (parts)
    return numbers(parts)
      .map(part => formatNumber(part / 255))
      .join(' ')
  throw new Error(`the colour ${value}`)
}

type Attributes = Record<string, string>

/** Returns the attributes of a tag, in which the properties of `style` take precedence. */
function attributesOf(text: string): Attributes {
  const found: Attributes = {}
  for (const [, name = '', , double, single] of text.matchAll(/([\w:-]+)\s*=\s*("([^"]*)"|'([^']*)')/g))
    found[name] = double ?? single ?? ''
  for (const part of (found.style ?? '').split(';')) {
    const [name = '', value] = part.split(':')
    if (value !== undefined) found[name.trim()] = value.trim()
  }
  return found
}

function toPathData(tag: string, a: Attributes): string {
  const value = (name: string) => Number.parseFloat(a[name] ?? '0') || 0
  const round = (cx: number, cy: number, rx: number, ry: number) =>
    `M${cx + rx} ${cy}a${rx} ${ry} 0 1 1 ${-2 * rx} 0a${rx} ${ry} 0 1 1 ${2 * rx} 0z`
  if (tag === 'path') return a.d ?? ''
  if (tag === 'circle') return round(value('cx'), value('cy'), value('r'), value('r'))
  if (tag === 'ellipse') return round(value('cx'), value('cy'), value('rx'), value('ry'))
  if (tag === 'line') return `M${value('x1')} ${value('y1')}L${value('x2')} ${value('y2')}`
  if (tag === 'polygon' || tag === 'polyline')
    return `M${numbers(a.points ?? '').join(' ')}${tag === 'polygon' ? 'z' : ''}`
  const [x, y, width, height] = [value('x'), value('y'), value('width'), value('height')]
  const rx = Math.min(value(a.rx === undefined ? 'ry' : 'rx'), width / 2)
  const ry = Math.min(value(a.ry === undefined ? 'rx' : 'ry'), height / 2)
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

function draw(tag: string, a: Attributes): string {
  if (
    (a.opacity ?? '1') !== '1' ||
    (a['fill-opacity'] ?? '1') !== '1' ||
    (a['stroke-opacity'] ?? '1') !== '1'
  )
    throw new Error('opacity')
  const current = a.color ?? 'black'
  const paint = (text: string) => colour(text.trim().toLowerCase() === 'currentcolor' ? current : text)
  const fill = tag === 'line' ? undefined : paint(a.fill ?? 'black')
  const stroke = paint(a.stroke ?? 'none')
  const even = a['fill-rule'] === 'evenodd' ? '*' : ''
  const operator = fill && stroke ? `B${even}` : fill ? `f${even}` : stroke ? 'S' : 'n'
  return [
    ...(fill ? [`${fill} rg`] : []),
    ...(stroke
      ? [
          `${stroke} RG ${formatNumber(Number.parseFloat(a['stroke-width'] ?? '1'))} w`,
          `${LINE_CAPS[a['stroke-linecap'] ?? ''] ?? 0} J ${LINE_JOINS[a['stroke-linejoin'] ?? ''] ?? 0} j`,
        ]
      : []),
    pathOperators(toPathData(tag, a)),
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
  const open: { tag: string; inheritable: Attributes }[] = []
  let size: { width: number; height: number } | undefined
  let silentDepth = 0
  for (const [, closing, tag = '', rest = '', empty] of text.matchAll(/<(\/?)([\w:-]+)([^>]*?)(\/?)>/g)) {
    if (closing) {
      if (INVISIBLE_ELEMENTS.has(tag)) silentDepth -= 1
      else if (silentDepth === 0) {
        open.pop()
        out.push('Q')
      }
      continue
    }
    if (INVISIBLE_ELEMENTS.has(tag)) {
      if (!empty) silentDepth += 1
      continue
    }
    if (silentDepth > 0) continue
    const attributes = attributesOf(rest)
    const inherited = open.at(-1)?.inheritable ?? {}
    const inheritable = {
      ...inherited,
      ...Object.fromEntries(
        INHERITED_ATTRIBUTES.flatMap(name =>
          attributes[name] === undefined ? [] : [[name, attributes[name]]],
        ),
      ),
    }
    const transform = attributes.transform ? `${transforms(attributes.transform)}\n` : ''
    if (tag === 'svg' && !size) {
      const [x = 0, y = 0, width = 0, height = 0] = attributes.viewBox
        ? numbers(attributes.viewBox)
        : [0, 0, Number.parseFloat(attributes.width ?? ''), Number.parseFloat(attributes.height ?? '')]
      if (!(width > 0 && height > 0)) throw new Error('no size')
      size = { width, height }
      out.push(`q 1 0 0 1 ${formatNumber(-x)} ${formatNumber(-y)} cm`)
    } else if (tag === 'g' || tag === 'a') out.push(`q\n${transform}`)
    else if (SHAPES.has(tag)) {
      out.push(`q\n${transform}${draw(tag, { ...attributes, ...inheritable })}`)
      if (empty) {
        out.push('Q')
        continue
      }
    } else throw new Error(`the element ${tag}`)
    if (empty) out.push('Q')
    else open.push({ tag, inheritable })
  }
  if (!size || open.length > 0) throw new Error('not a drawing')
  return { ...size, operators: out.join('\n') }
}
