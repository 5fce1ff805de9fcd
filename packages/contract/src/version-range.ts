// Stands in for the federation runtime's reader of version ranges too (scripts/lib/federation-loader.mjs), which knows
// them all and weighs 1 kB on every first visit: what is shared here asks for `^1.2.3`, the runtime for `<=1.2.3`.

type Numbers = readonly number[]

function numbersOf(text: string): Numbers {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)
  if (!found) throw new Error(`"${text}" is no version that shared packages have here`)
  return found.slice(1).map(Number)
}

function difference(a: Numbers, b: Numbers): number {
  const place = a.findIndex((number, at) => number !== b[at])
  return place < 0 ? 0 : Number(a[place]) - Number(b[place])
}

/**
 * Whether a version is within a range. Of the leading numbers of `^`, the first that is not zero must be the same.
 * @param version `1.2.3`
 * @param range `^1.2.3` or `<=1.2.3`; every other throws
 */
export function satisfy(version: string, range: string): boolean {
  const [, sign, text = ''] = /^(\^|<=)(.+)$/.exec(range) ?? []
  const [asked, given] = [numbersOf(sign ? text : range), numbersOf(version)]
  if (sign === '<=') return difference(given, asked) <= 0
  if (!sign) throw new Error(`"${range}" is no range that shared packages have here`)
  const first = asked.findIndex(number => number > 0)
  return (
    difference(given, asked) >= 0 && asked.slice(0, first + 1).every((number, at) => number === given[at])
  )
}
