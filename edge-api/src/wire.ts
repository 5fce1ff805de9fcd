import { toMajor } from '@portal/format/money'

/*
 * Converts times and amounts for the API: milliseconds since 1970 to ISO 8601 in UTC, and integers in minor units to numbers in
 * major units.
 */

export const iso = (at: number): string => new Date(at).toISOString()

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** Converts minor to major units; null stays null. @throws RangeError if the amount is not a safe integer */
export const majorOrNull = (minor: number | null): number | null => (minor === null ? null : toMajor(minor))

/** Returns the number and total amount for each state, with zeros for states that do not occur. */
export function buildTotalsByState<State extends string>(
  states: readonly State[],
  rows: readonly { state: State; count: number; minor: number }[],
) {
  const byState = new Map(rows.map(row => [row.state, row]))
  const totals = states.map(state => {
    const { count, minor } = byState.get(state) ?? { count: 0, minor: 0 }
    return [state, { count, amount: toMajor(minor) }] as const
  })
  return Object.fromEntries(totals) as Record<State, { count: number; amount: number }>
}
