import { toMajor } from '@portal/format/money'

/*
 * Times and amounts as they travel: inside they are milliseconds and integers in minor units, on the wire ISO 8601 in
 * UTC and numbers in major units.
 */

export const iso = (at: number): string => new Date(at).toISOString()

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** @throws RangeError when it is not a safe integer */
export const majorOrNull = (minor: number | null): number | null => (minor === null ? null : toMajor(minor))
