/** Earlier graduation dates are rejected as typing errors. */
export const EARLIEST_GRADUATION = '1900-01-01'

/** The institution's time zone. It must equal the one in `packages/format`, which a test checks. */
export const ZONE = 'Africa/Lagos'

let dayFormat: Intl.DateTimeFormat | undefined

/**
 * Returns today's date in the institution's time zone as `YYYY-MM-DD`.
 * @param now Unix timestamp in milliseconds
 */
export function institutionDay(now: number = Date.now()): string {
  // Created on first use, because a formatter costs a page a few milliseconds. The Canadian locale formats dates as ISO 8601
  // does.
  dayFormat ??= new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' })
  return dayFormat.format(now)
}

/**
 * Returns why a day (`YYYY-MM-DD`) cannot be a graduation date, or undefined if it can; `today` is in the institution's time
 * zone.
 */
export const graduationDateProblem = (day: string, today: string): string | undefined =>
  day < EARLIEST_GRADUATION || day > today
    ? 'Please enter a graduation date between January 1, 1900 and today.'
    : undefined
