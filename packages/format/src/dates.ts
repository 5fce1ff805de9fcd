/**
 * Where the institution sits: the day of what it says officially, a letter's above all, is the day there, whoever reads it
 * where. Everything else is shown in the viewer's zone.
 */
export const INSTITUTION_ZONE = 'Africa/Lagos'

const dateOnly = /^\d{4}-\d{2}-\d{2}$/

type Moment = string | number | Date

/** What cannot be read as a date is shown as it came, so that nothing is lost or shown as 'Invalid Date'. */
function show(value: Moment, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return String(value)
  // A date without a time has no zone: read in the viewer's, it would slip to the day before west of Greenwich.
  const zone = typeof value === 'string' && dateOnly.test(value) ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat('en-US', { ...options, ...zone }).format(date).replaceAll('\u202f', ' ')
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const two = (figure: number) => String(figure).padStart(2, '0')

/**
 * A moment in the viewer's zone, in the words that `show` has for it. Lists are full of them, and a browser takes some
 * 15 ms of work for the first formatter of a visit, a phone four times that.
 */
function inWords(value: Moment) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return undefined
  const zoneless = typeof value === 'string' && dateOnly.test(value)
  const month = months[zoneless ? date.getUTCMonth() : date.getMonth()] ?? ''
  const day = zoneless ? date.getUTCDate() : date.getDate()
  const year = zoneless ? date.getUTCFullYear() : date.getFullYear()
  const hour = zoneless ? 0 : date.getHours()
  const minute = two(zoneless ? 0 : date.getMinutes())
  const half = hour < 12 ? 'AM' : 'PM'
  return {
    long: `${month} ${day}, ${year}`,
    short: `${month.slice(0, 3)} ${day}, ${year}`,
    time: `${hour % 12 || 12}:${minute} ${half}`,
    exact: `${hour % 12 || 12}:${minute}:${two(zoneless ? 0 : date.getSeconds())} ${half}`,
  }
}

/** `January 31, 2026`. Takes `YYYY-MM-DD` or a timestamp; `timeZone` defaults to the viewer's. */
export function formatLongDate(value: Moment, timeZone?: string): string {
  if (timeZone) return show(value, { year: 'numeric', month: 'long', day: 'numeric', timeZone })
  return inWords(value)?.long ?? String(value)
}

/** `Jan 31, 2026`. */
export function formatShortDate(value: Moment, timeZone?: string): string {
  if (timeZone) return show(value, { year: 'numeric', month: 'short', day: 'numeric', timeZone })
  return inWords(value)?.short ?? String(value)
}

/** `Jan 31, 2026, 8:05 AM`. */
export function formatDateTime(value: Moment, timeZone?: string): string {
  if (timeZone)
    return show(value, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
    })
  const words = inWords(value)
  return words ? `${words.short}, ${words.time}` : String(value)
}

/** `January 31, 2026, 8:05:09 AM GMT+1`: a moment that others will read, to the second and with its zone. */
export function formatExactTime(value: Moment, timeZone?: string): string {
  return show(value, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone && { timeZone }),
  }).replace(' at ', ', ')
}

/** `8:05:09 AM`, for the header's clock. */
export function formatTime(value: Moment, timeZone?: string): string {
  if (timeZone) return show(value, { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone })
  return inWords(value)?.exact ?? String(value)
}

/** `8:05 AM GMT+1`: until when something can be done, with its zone, for another page may count in another one. */
export function formatDeadline(value: Moment, timeZone?: string): string {
  return show(value, {
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone && { timeZone }),
  })
}

/**
 * `just now` under a minute, then `5m ago`, `3h ago`, `6d ago` under 7 days, otherwise the short date.
 * A moment slightly ahead (clocks differ) is `just now`.
 */
export function formatRelativeTime(value: Moment, now: Moment = Date.now()): string {
  const minutes = Math.floor((new Date(now).getTime() - new Date(value).getTime()) / 60_000)
  if (Number.isNaN(minutes)) return String(value)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes}m ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}h ago`
  const days = Math.floor(hours / 24)
  return days < 7 ? `${days}d ago` : formatShortDate(value)
}

/** `YYYY-MM-DD` of the UTC day. @throws RangeError for what is not a date */
export function toIsoDate(value: Moment): string {
  return new Date(value).toISOString().slice(0, 10)
}

/** The UTC day `days` before `now`, as `YYYY-MM-DD`. */
export function isoDateDaysBefore(days: number, now: Moment = Date.now()): string {
  return toIsoDate(new Date(now).getTime() - days * 86_400_000)
}

/** `1m 05s`, `2h 10m`, `8s`: time left or taken, from milliseconds. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
}
