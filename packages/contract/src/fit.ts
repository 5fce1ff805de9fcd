import { satisfy } from './version-range.ts'

/*
 * Whether a shell can run a release of a micro-frontend: asked when the release is shipped, and again by the shell that
 * is open in somebody's browser, which may be older.
 */

/** What a release needs of the shell, written into it by its build; or what a shell has, with versions for ranges. */
export interface Fit {
  /** `CONTRACT` of `version.ts`. */
  readonly contract: number
  /** `START` of `version.ts`. */
  readonly start: number
  /** By package: the range that is needed (`^19.3.1`), or the version that is there. */
  readonly shared: Readonly<Record<string, string>>
}

/** Why a shell cannot run a release, a reason a line; none where it can. */
export function misfits(needs: Fit, shell: Fit): string[] {
  const numbers = (['contract', 'start'] as const)
    .filter(name => needs[name] !== shell[name])
    .map(name => `needs ${name} ${needs[name]}; the shell has ${shell[name]}`)
  const packages = Object.entries(needs.shared)
    .filter(([name, range]) => !isWithin(shell.shared[name], range))
    .map(([name, range]) => `needs ${name} ${range}; the shell has ${shell.shared[name] ?? 'none'}`)
  return [...numbers, ...packages]
}

function isWithin(version: string | undefined, range: string): boolean {
  try {
    return version !== undefined && satisfy(version, range)
  } catch {
    // A range that nobody here writes is no reason to guess.
    return false
  }
}
