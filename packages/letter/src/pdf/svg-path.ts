import { formatNumber } from './file.ts'

/*
 * Converts SVG path data (SVG 2, 9.3) to PDF operators. PDF has only lines and cubic curves, so all other segments are
 * converted to these.
 */

const COMMAND = /([a-z])([^a-z]*)/gi
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi

/** Number of arguments of each command. */
const argumentCounts: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }

/** Matches the arguments of an arc, whose two flags may be written without a space (`a1 1 0 01.5 2`). */
const ARC =
  /\s*,?\s*([^\s,]+?)[\s,]+([^\s,]+?)[\s,]+([^\s,]+?)[\s,]+([01])[\s,]*([01])[\s,]*([+-]?[\d.]+(?:e[+-]?\d+)?)[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/gi

function parseArguments(command: string, text: string): number[] {
  if (command.toLowerCase() === 'a') {
    const arcs = [...text.matchAll(ARC)].flatMap(([, ...values]) => values.map(Number))
    if (arcs.length > 0 && arcs.every(Number.isFinite)) return arcs
  }
  return (text.match(NUMBER) ?? []).map(Number)
}

interface Arc {
  rx: number
  ry: number
  turn: number
  large: boolean
  sweep: boolean
}

/** Converts an elliptic arc to cubic curves, each of at most a quarter turn (SVG 2, appendix B.2.4). */
function arcCurves(x0: number, y0: number, arc: Arc, x1: number, y1: number): number[][] {
  let rx = Math.abs(arc.rx)
  let ry = Math.abs(arc.ry)
  if (rx === 0 || ry === 0 || (x0 === x1 && y0 === y1)) return [[x0, y0, x1, y1, x1, y1]]
  const [sin, cos] = [Math.sin((arc.turn * Math.PI) / 180), Math.cos((arc.turn * Math.PI) / 180)]
  const [hx, hy] = [(x0 - x1) / 2, (y0 - y1) / 2]
  const [px, py] = [cos * hx + sin * hy, -sin * hx + cos * hy]
  const grow = Math.sqrt((px / rx) ** 2 + (py / ry) ** 2)
  if (grow > 1) {
    rx *= grow
    ry *= grow
  }
  const over = (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2
  const root =
    (arc.large === arc.sweep ? -1 : 1) * Math.sqrt(Math.max(0, over / ((rx * py) ** 2 + (ry * px) ** 2)))
  const [qx, qy] = [(root * rx * py) / ry, (-root * ry * px) / rx]
  const [cx, cy] = [cos * qx - sin * qy + (x0 + x1) / 2, sin * qx + cos * qy + (y0 + y1) / 2]
  const start = Math.atan2((py - qy) / ry, (px - qx) / rx)
  let angle = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - start
  if (arc.sweep && angle < 0) angle += 2 * Math.PI
  if (!arc.sweep && angle > 0) angle -= 2 * Math.PI
  const count = Math.max(1, Math.ceil(Math.abs(angle) / (Math.PI / 2) - 1e-9))
  const step = angle / count
  const reach = (4 / 3) * Math.tan(step / 4)
  const point = (x: number, y: number): [number, number] => [
    cx + cos * rx * x - sin * ry * y,
    cy + sin * rx * x + cos * ry * y,
  ]
  return Array.from({ length: count }, (_, index) => {
    const [a, b] = [start + index * step, start + (index + 1) * step]
    return [
      ...point(Math.cos(a) - reach * Math.sin(a), Math.sin(a) + reach * Math.cos(a)),
      ...point(Math.cos(b) + reach * Math.sin(b), Math.sin(b) - reach * Math.cos(b)),
      ...point(Math.cos(b), Math.sin(b)),
    ]
  })
}

/** Converts path data to PDF operators in the coordinates of the path (y pointing down). */
export function pathOperators(data: string): string {
  const out: string[] = []
  let [x, y, startX, startY] = [0, 0, 0, 0]
  // The last control point and the kind of its command; the smooth commands continue from it.
  let [controlX, controlY, controlOf] = [0, 0, '']
  const draw = (operator: string, ...values: number[]) =>
    out.push(`${values.map(formatNumber).join(' ')} ${operator}`)
  const curve = (x1: number, y1: number, x2: number, y2: number, toX: number, toY: number) => {
    draw('c', x1, y1, x2, y2, toX, toY)
    x = toX
    y = toY
  }

  for (const [, letter = '', text = ''] of data.matchAll(COMMAND)) {
    const size = argumentCounts[letter.toLowerCase()]
    if (size === undefined) continue
    const values = parseArguments(letter, text)
    const isRelative = letter === letter.toLowerCase()
    for (let offset = 0; offset === 0 || offset + size <= values.length; offset += size) {
      const v = (index: number) => values[offset + index] ?? 0
      const px = (index: number) => v(index) + (isRelative ? x : 0)
      const py = (index: number) => v(index) + (isRelative ? y : 0)
      // Further coordinates after a move draw lines.
      const command = letter.toLowerCase() === 'm' && offset > 0 ? 'l' : letter.toLowerCase()
      const reflectedControl = (kinds: string): [number, number] =>
        kinds.includes(controlOf) && controlOf ? [2 * x - controlX, 2 * y - controlY] : [x, y]
      let control: [number, number] | undefined
      if (command === 'm') {
        ;[x, y] = [px(0), py(1)]
        ;[startX, startY] = [x, y]
        draw('m', x, y)
      } else if (command === 'l' || command === 'h' || command === 'v') {
        const to: [number, number] =
          command === 'l' ? [px(0), py(1)] : command === 'h' ? [px(0), y] : [x, py(0)]
        ;[x, y] = to
        draw('l', x, y)
      } else if (command === 'c') {
        control = [px(2), py(3)]
        curve(px(0), py(1), px(2), py(3), px(4), py(5))
      } else if (command === 's') {
        const firstControl = reflectedControl('cs')
        control = [px(0), py(1)]
        curve(...firstControl, px(0), py(1), px(2), py(3))
      } else if (command === 'q' || command === 't') {
        const middle: [number, number] = command === 'q' ? [px(0), py(1)] : reflectedControl('qt')
        const [toX, toY] = command === 'q' ? [px(2), py(3)] : [px(0), py(1)]
        control = middle
        const third = (from: number, via: number) => from + (2 / 3) * (via - from)
        curve(
          third(x, middle[0]),
          third(y, middle[1]),
          third(toX, middle[0]),
          third(toY, middle[1]),
          toX,
          toY,
        )
      } else if (command === 'a') {
        const arc = { rx: v(0), ry: v(1), turn: v(2), large: v(3) === 1, sweep: v(4) === 1 }
        const [toX, toY] = [px(5), py(6)]
        for (const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] of arcCurves(x, y, arc, toX, toY))
          curve(a, b, c, d, e, f)
      } else {
        ;[x, y] = [startX, startY]
        out.push('h')
      }
      ;[controlX, controlY] = control ?? [x, y]
      controlOf = control ? command : ''
      if (size === 0) break
    }
  }
  return out.join('\n')
}
