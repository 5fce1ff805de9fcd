import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import {
  accentTone,
  contrast,
  DEFAULT_ACCENT,
  hexOf,
  isHex,
  luminance,
  type Oklch,
  oklchOf,
} from './colour.ts'

describe('contrast', () => {
  // Contrast ratios from WCAG, to two decimals.
  test.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
    ['#ff0000', '#ffffff', 4],
  ])('of %s and %s is %d', (a, b, ratio) => {
    expect(contrast(a, b)).toBeCloseTo(ratio, 2)
    expect(contrast(b, a)).toBeCloseTo(ratio, 2)
  })

  it('uses the luminance of a colour, which is not proportional to its sRGB values', () => {
    expect(luminance('#808080')).toBeCloseTo(0.2159, 3)
  })
})

describe('OKLCH', () => {
  // Values from the samples in CSS Color 4.
  test.each([
    ['#ff0000', { l: 0.628, c: 0.2577, h: 29.23 }],
    ['#008000', { l: 0.5198, c: 0.1769, h: 142.5 }],
    ['#0000ff', { l: 0.452, c: 0.3132, h: 264.05 }],
  ])('of %s is that of the CSS Color 4 sample', (hex, { l, c, h }) => {
    const oklch = oklchOf(hex)
    expect(oklch.l).toBeCloseTo(l, 2)
    expect(oklch.c).toBeCloseTo(c, 2)
    expect(oklch.h).toBeCloseTo(h, 0)
  })

  it('converts to the same sRGB colour when converted back', () => {
    for (const hex of sampleColours(0x1f)) expect(hexOf(oklchOf(hex))).toBe(hex)
  })

  it('is only for colours in the form #rrggbb', () => {
    expect(['#0E5B3F', '#fff', '0e5b3f', '#0d594', 'red', '#0e5b3f1'].map(isHex)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

/** Returns colours at regular intervals of `step` in each channel of sRGB. */
function sampleColours(step: number): string[] {
  const values = Array.from({ length: Math.floor(255 / step) + 1 }, (_, index) => index * step)
  const hex = (value: number) => value.toString(16).padStart(2, '0')
  return values.flatMap(r => values.flatMap(g => values.map(b => `#${hex(r)}${hex(g)}${hex(b)}`)))
}

describe('tokens derived from the institution’s colour', () => {
  const css = readFileSync(new URL('../../ui/src/tokens.css', import.meta.url), 'utf8')

  /** Returns the light and the dark value of `--name: light-dark(…, …)`. */
  function readToken(name: string): { light: string; dark: string } {
    const value = new RegExp(`--${name}:\\s*light-dark\\(([^;]+)\\);`).exec(css)?.[1]?.replace(/\s+/g, ' ')
    const [light, dark] = value?.split(/, (?=oklch)/) ?? []
    if (!light || !dark) throw new Error(`tokens.css has no --${name}`)
    return { light: light.trim(), dark: dark.trim() }
  }

  /** Evaluates `oklch(from var(--brand) min(l, 0.45) min(c, 0.125) h)` and plain colours as a browser does. */
  function evaluateColour(formula: string, brand: Oklch): string {
    const inner = formula.replace(/^oklch\((?:from var\(--brand\) )?|\)$/g, '')
    const parts = inner.match(/(?:calc\((?:[^()]|\([^()]*\))*\)|(?:min|max)\([^()]*\)|[\w.]+)/g) ?? []
    const [l = 0, c = 0, h = 0] = parts.map(part => evaluate(part, brand))
    return hexOf({ l: Math.min(1, Math.max(0, l)), c: Math.max(0, c), h })
  }

  function evaluate(part: string, brand: Oklch): number {
    if (part === 'l' || part === 'c' || part === 'h') return brand[part]
    const bound = /^(min|max)\(([lc]), ([\d.]+)\)$/.exec(part)
    if (bound) {
      const from = bound[2] === 'l' ? brand.l : brand.c
      return bound[1] === 'min' ? Math.min(from, Number(bound[3])) : Math.max(from, Number(bound[3]))
    }
    const sum = /^calc\((.+) ([+-]) ([\d.]+)\)$/.exec(part)
    if (sum?.[1]) return evaluate(sum[1], brand) + Number(`${sum[2]}${sum[3]}`)
    if (!/^[\d.]+$/.test(part)) throw new Error(`unsupported expression: ${part}`)
    return Number(part)
  }

  /** Foreground and background colours, with the lowest contrast that they need. */
  const pairs = [
    ['on-brand', 'brand-solid', 4.5],
    ['on-brand', 'brand-solid-hover', 4.5],
    ['brand-ink', 'paper', 4.5],
    ['brand-ink', 'surface', 4.5],
    ['brand-ink', 'sunken', 4.5],
    ['brand-ink', 'brand-wash', 4.5],
    ['ink', 'brand-wash', 4.5],
    ['brand-solid', 'paper', 3],
    ['brand-solid', 'surface', 3],
  ] as const

  describe.each(['light', 'dark'] as const)('in the %s theme', theme => {
    test.each(pairs)(
      '%s on %s has enough contrast for any colour of the institution',
      { tags: ['USABILITY-6', 'STAFF-12'] },
      (foreground, background, minimum) => {
        const worst = sampleColours(0x33)
          .map(hex => {
            const brand = oklchOf(hex)
            return {
              hex,
              ratio: contrast(
                evaluateColour(readToken(foreground)[theme], brand),
                evaluateColour(readToken(background)[theme], brand),
              ),
            }
          })
          .sort((a, b) => a.ratio - b.ratio)[0]
        expect(worst?.ratio, worst?.hex).toBeGreaterThanOrEqual(minimum)
      },
    )

    it('accentTone equals --brand-solid', () => {
      for (const hex of sampleColours(0x55)) {
        expect(accentTone(hex, theme)).toBe(evaluateColour(readToken('brand-solid')[theme], oklchOf(hex)))
      }
    })
  })

  it('have the default accent as --brand', () => {
    const brand = /--brand:\s*(oklch\([^)]+\));/.exec(css)?.[1] ?? ''
    expect(evaluateColour(brand, { l: 0, c: 0, h: 0 })).toBe(DEFAULT_ACCENT)
  })
})
