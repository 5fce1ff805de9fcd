import { satisfy } from './version-range.ts'

/*
 * Compatibility of a release with a shell. It is checked when the release is deployed, and again in the browser, where an older
 * shell may be running.
 */

/** What a release requires of the shell, as recorded by its build; or what a shell provides. */
export interface Compatibility {
  /** `CONTRACT` of `version.ts`. */
  readonly contract: number
  /** `START` of `version.ts`. */
  readonly start: number
  /** By package: the version range that the release requires (`^19.3.1`), or the version that the shell provides. */
  readonly shared: Readonly<Record<string, string>>
}

/** Returns the reasons why a shell cannot run a release; empty if it can. */
export function incompatibilities(needs: Compatibility, shell: Compatibility): string[] {
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
    // Unsupported range syntax counts as incompatible.
    return false
  }
}
