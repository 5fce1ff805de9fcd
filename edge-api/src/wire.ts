import { toMajor } from '@portal/format/money'

/*
 * Times and amounts in the API: internally they are milliseconds and integers in minor units, in the API ISO 8601 in UTC and
 * numbers in major units.
 */

export const iso = (at: number): string => new Date(at).toISOString()

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** Converts minor to major units; null stays null. @throws RangeError if it is not a safe integer */
export const majorOrNull = (minor: number | null): number | null => (minor === null ? null : toMajor(minor))

/** Number and total amount per state; zeros for states without any. */
export function totalsIn<State extends string>(
  states: readonly State[],
  counted: readonly { state: State; count: number; minor: number }[],
) {
  const byState = new Map(counted.map(row => [row.state, row]))
  const totals = states.map(state => {
    const { count, minor } = byState.get(state) ?? { count: 0, minor: 0 }
    return [state, { count, amount: toMajor(minor) }] as const
  })
  return Object.fromEntries(totals) as Record<State, { count: number; amount: number }>
}
