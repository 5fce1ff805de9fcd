import { isoDateDaysBefore } from '@portal/format/dates'
import { parseDay, toSearchParams } from '@portal/router/params'

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
const DEFAULT_PRESET: Preset = '30'

/** Parses the URL parameters; invalid values fall back to the default. */
export function readPeriod(query: URLSearchParams): PeriodParams {
  const [from, to] = [parseDay(query.get('from')), parseDay(query.get('to'))]
  if (from || to) return { preset: undefined, from, to }
  return { preset: presets.find(({ id }) => id === query.get('period'))?.id ?? DEFAULT_PRESET }
}

/** Serialises a period as URL parameters, leaving out the default. */
export const writePeriod = (params: PeriodParams) =>
  params.preset
    ? toSearchParams({ period: params.preset }, { period: DEFAULT_PRESET })
    : toSearchParams({ from: params.from, to: params.to })

/** Returns the API's query for a period: the first and the last UTC day, both included; an open end is left out. */
export function toPeriodQuery(params: PeriodParams, now = Date.now()) {
  if (params.preset === undefined) {
    return { ...(params.from && { date_from: params.from }), ...(params.to && { date_to: params.to }) }
  }
  const days = presets.find(({ id }) => id === params.preset)?.days
  return days === undefined ? {} : { date_from: isoDateDaysBefore(days - 1, now) }
}
