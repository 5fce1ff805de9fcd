/*
 * Colours as `#rrggbb` and in OKLCH (perceptual lightness from 0 to 1, chroma, and hue in degrees). Conversions are those of
 * CSS Color 4, contrast is that of WCAG 2.2.
 */

export interface Oklch {
  l: number
  c: number
  h: number
}

type Triple = readonly [number, number, number]

const HEX = /^#[0-9a-f]{6}$/i

/** True for a colour in the form `#rrggbb`. */
export const isHex = (colour: string): boolean => HEX.test(colour)

/** Returns linear red, green and blue, each from 0 to 1. */
function linearOf(hex: string): Triple {
  const channel = (start: number) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function hexOfLinear(linear: Triple): string {
  const channel = (value: number) => {
    const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, encoded)) * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${linear.map(channel).join('')}`
}

/** Converts to OKLCH. @param hex `#rrggbb` */
export function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearOf(hex)
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const l = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short
  const labA = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short
  const labB = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short
  return { l, c: Math.hypot(labA, labB), h: ((Math.atan2(labB, labA) * 180) / Math.PI + 360) % 360 }
}

/** Converts to sRGB, clipping each channel. @returns `#rrggbb` */
export function hexOf({ l, c, h }: Oklch): string {
  const angle = (h * Math.PI) / 180
  const labA = c * Math.cos(angle)
  const labB = c * Math.sin(angle)
  const long = (l + 0.3963377774 * labA + 0.2158037573 * labB) ** 3
  const middle = (l - 0.1055613458 * labA - 0.0638541728 * labB) ** 3
  const short = (l - 0.0894841775 * labA - 1.291485548 * labB) ** 3
  return hexOfLinear([
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ])
}

/** Returns the relative luminance (WCAG), 0 to 1. */
export function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the contrast ratio of two colours, 1 to 21. Text needs 4.5, controls need 3. */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Default accent colour, equal to `--brand` in `packages/ui/src/tokens.css`. */
export const DEFAULT_ACCENT = '#0e5b3f'

/**
 * Returns the colour for buttons, links and emails: the institution's hue, at a lightness at which white text (black in the
 * dark theme) is readable. It equals `--brand-solid`.
 */
export function accentTone(hex: string, theme: 'light' | 'dark' = 'light'): string {
  const { l, c, h } = oklchOf(hex)
  return theme === 'light'
    ? hexOf({ l: Math.min(l, 0.45), c: Math.min(c, 0.125), h })
    : hexOf({ l: Math.max(l, 0.78), c: Math.min(c, 0.105), h })
}
