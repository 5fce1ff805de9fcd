import { isoDateDaysBefore } from '@portal/format/dates'

/** Preset periods up to today, in days; `all` starts at the first recorded day. */
export const presets = [
  { id: '7', label: '7 days', days: 7 },
  { id: '30', label: '30 days', days: 30 },
  { id: '90', label: '90 days', days: 90 },
  { id: 'year', label: 'Year', days: 365 },
  { id: 'all', label: 'All', days: undefined },
] as const
export type Preset = (typeof presets)[number]['id']

/** URL parameters: `?period=90`, or `?from=…&to=…`; the default is the last 30 days. */
export type PeriodParams = { preset: Preset } | { preset: undefined; from: string; to: string }

/** Default date range of reports (specification, section 9). */
const USUAL: Preset = '30'

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** Parses the URL parameters; invalid values fall back to the default. */
export function readPeriod(query: URLSearchParams): PeriodParams {
  const [from, to] = [query.get('from'), query.get('to')]
  if (isDay(from) || isDay(to)) {
    return { preset: undefined, from: isDay(from) ? from : '', to: isDay(to) ? to : '' }
  }
  return { preset: presets.find(({ id }) => id === query.get('period'))?.id ?? USUAL }
}

/** Serialises a period as URL parameters, leaving out the default. */
export function writePeriod(params: PeriodParams): URLSearchParams {
  const named = params.preset
    ? { period: params.preset === USUAL ? '' : params.preset }
    : { from: params.from, to: params.to }
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''))
}

/** Converts a period to query parameters: UTC days, both inclusive, open ends left out. */
export function periodQuery(params: PeriodParams, now = Date.now()) {
  if (params.preset === undefined) {
    return { ...(params.from && { date_from: params.from }), ...(params.to && { date_to: params.to }) }
  }
  const days = presets.find(({ id }) => id === params.preset)?.days
  return days === undefined ? {} : { date_from: isoDateDaysBefore(days - 1, now) }
}
