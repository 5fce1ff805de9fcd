/** Graduation dates before this day are typing errors. */
export const EARLIEST_GRADUATION = '1900-01-01'

/** The institution's zone, as `packages/format` has it for the dates of letters; a test compares the two. */
export const ZONE = 'Africa/Lagos'

let days: Intl.DateTimeFormat | undefined

/** The day it is where the institution is, as `YYYY-MM-DD`. @param now milliseconds */
export function institutionDay(now: number = Date.now()): string {
  // Made when first needed: a formatter costs a page some milliseconds. Canada's form is ISO 8601.
  days ??= new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' })
  return days.format(now)
}

/** Why a day (`YYYY-MM-DD`) cannot be one of graduation; `today` is the institution's. */
export const graduationDateProblem = (day: string, today: string): string | undefined =>
  day < EARLIEST_GRADUATION || day > today
    ? 'Please enter a graduation date between 1900-01-01 and today.'
    : undefined
