import { toMajor } from '@portal/format/money'

/*
 * Times and amounts in the API: internally they are milliseconds and integers in minor units, in the API ISO 8601 in UTC and
 * numbers in major units.
 */

export const iso = (at: number): string => new Date(at).toISOString()

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** @throws RangeError if it is not a safe integer */
export const majorOrNull = (minor: number | null): number | null => (minor === null ? null : toMajor(minor))
