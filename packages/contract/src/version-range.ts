// A small replacement for a semver library, used by the contract and, through scripts/lib/federation-loader.mjs, in place of
// the federation runtime's own parser, which would add 1 kB to every first visit. Shared packages use `^1.2.3`, and the runtime
// `<=1.2.3`.

type VersionNumbers = readonly number[]

function parseVersion(text: string): VersionNumbers {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)
  if (!match) throw new Error(`"${text}" is not a version that shared packages can have`)
  return match.slice(1).map(Number)
}

function compareVersions(a: VersionNumbers, b: VersionNumbers): number {
  const position = a.findIndex((number, index) => number !== b[index])
  return position < 0 ? 0 : Number(a[position]) - Number(b[position])
}

/**
 * True if a version satisfies a range. For `^`, the numbers up to the first non-zero one must be equal.
 * @param version `1.2.3`
 * @param range `^1.2.3` or `<=1.2.3`; anything else throws
 */
export function satisfy(version: string, range: string): boolean {
  const [, sign, text = ''] = /^(\^|<=)(.+)$/.exec(range) ?? []
  const [required, actual] = [parseVersion(sign ? text : range), parseVersion(version)]
  if (sign === '<=') return compareVersions(actual, required) <= 0
  if (!sign) throw new Error(`"${range}" is not a version range that shared packages can have`)
  const firstNonZero = required.findIndex(number => number > 0)
  return (
    compareVersions(actual, required) >= 0 &&
    required.slice(0, firstNonZero + 1).every((number, index) => number === actual[index])
  )
}
