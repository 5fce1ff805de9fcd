/*
 * Recognises browsers by their `User-Agent`, well enough for people to recognise their own sessions. The order matters, because
 * most browsers also name others.
 */

const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (names: readonly [RegExp, string][], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Returns the browser and the operating system, each null if it is not recognised. */
export function clientOf(userAgent: string | undefined): { browser: string | null; system: string | null } {
  const text = (userAgent ?? '').slice(0, 500)
  return { browser: nameIn(browsers, text), system: nameIn(systems, text) }
}
