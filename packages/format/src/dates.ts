/**
 * Time zone of all times in official documents and on screens, so that a letter and a receipt always agree. Its name is shown
 * next to every time of day.
 */
export const INSTITUTION_ZONE = 'Africa/Lagos'
// Hard-coded, because the zone has no daylight saving time and Intl would take 60 ms on a phone. A test compares both with
// Intl.
const ZONE_OFFSET_MS = 3_600_000
const ZONE_NAME = 'WAT'

const dateOnly = /^\d{4}-\d{2}-\d{2}$/

type DateInput = string | number | Date

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const twoDigits = (figure: number) => String(figure).padStart(2, '0')

/** Returns the parts of a timestamp in the institution's zone. A date without a time is not converted. */
function dateParts(value: DateInput) {
  const isDateOnly = typeof value === 'string' && dateOnly.test(value)
  const date = new Date(new Date(value).getTime() + (isDateOnly ? 0 : ZONE_OFFSET_MS))
  if (Number.isNaN(date.getTime())) return undefined
  const month = months[date.getUTCMonth()] ?? ''
  const day = `${date.getUTCDate()}, ${date.getUTCFullYear()}`
  const hour = date.getUTCHours()
  const minute = `${hour % 12 || 12}:${twoDigits(date.getUTCMinutes())}`
  const amOrPm = hour < 12 ? 'AM' : 'PM'
  return {
    isDateOnly,
    long: `${month} ${day}`,
    short: `${month.slice(0, 3)} ${day}`,
    time: `${minute} ${amOrPm} ${ZONE_NAME}`,
    exact: `${minute}:${twoDigits(date.getUTCSeconds())} ${amOrPm} ${ZONE_NAME}`,
  }
}

// All formatters return text that is not a date unchanged, rather than 'Invalid Date'.

/** Formats as `January 31, 2026`. Takes `YYYY-MM-DD` or a timestamp. */
export const formatLongDate = (value: DateInput): string => dateParts(value)?.long ?? String(value)

/** Formats as `Jan 31, 2026`. */
export const formatShortDate = (value: DateInput): string => dateParts(value)?.short ?? String(value)

/** Formats as `Jan 31, 2026, 8:05 AM WAT`, or as `Jan 31, 2026` for a date without a time. */
export function formatDateTime(value: DateInput): string {
  const parts = dateParts(value)
  if (!parts) return String(value)
  return parts.isDateOnly ? parts.short : `${parts.short}, ${parts.time}`
}

/** Formats as `January 31, 2026, 8:05:09 AM WAT`. */
export function formatExactTime(value: DateInput): string {
  const parts = dateParts(value)
  return parts ? `${parts.long}, ${parts.exact}` : String(value)
}

/** Formats as `8:05:09 AM WAT`, for the header's clock. */
export const formatTime = (value: DateInput): string => dateParts(value)?.exact ?? String(value)

/** Formats a deadline as `8:05 AM WAT`. */
export const formatDeadline = (value: DateInput): string => dateParts(value)?.time ?? String(value)

/**
 * Formats an age: `just now` for less than a minute, then `5m ago`, `3h ago`, and `6d ago` for less than 7 days; otherwise, the
 * short date. A time slightly in the future (clock skew) is `just now`.
 */
export function formatRelativeTime(value: DateInput, now: DateInput = Date.now()): string {
  const minutes = Math.floor((new Date(now).getTime() - new Date(value).getTime()) / 60_000)
  if (Number.isNaN(minutes)) return String(value)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes}m ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}h ago`
  const days = Math.floor(hours / 24)
  return days < 7 ? `${days}d ago` : formatShortDate(value)
}

/**
 * Returns the UTC day of a moment as `YYYY-MM-DD`.
 * @throws RangeError for an invalid date
 */
export function toIsoDate(value: DateInput): string {
  return new Date(value).toISOString().slice(0, 10)
}

/** Returns the UTC day `days` before `now` as `YYYY-MM-DD`. */
export function isoDateDaysBefore(days: number, now: DateInput = Date.now()): string {
  return toIsoDate(new Date(now).getTime() - days * 86_400_000)
}

/** Formats a duration in milliseconds as `1m 05s`, `2h 10m` or `8s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`
}
