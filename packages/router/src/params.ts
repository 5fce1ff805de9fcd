/*
 * Parameters of list screens in the URL. Invalid values are replaced by the defaults, and values that equal the defaults are
 * left out of the URL.
 */

/** Returns the page number, or 1 if it is missing or invalid. */
export function readPage(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

/** Returns the value if it is one of the choices, otherwise an empty string, which means "any". */
export const parseChoice = <T extends string>(choices: readonly T[], text: string | null): T | '' =>
  choices.find(choice => choice === text) ?? ''

/** Returns a valid day (`YYYY-MM-DD`), otherwise an empty string. */
export const parseDay = (text: string | null): string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

type Values = Readonly<Record<string, string | number | undefined>>

/**
 * Serialises parameters without the values that equal their defaults. A default that is not given is an empty string, or 1 for
 * `page`.
 */
export function toSearchParams(values: Values, defaults: Values = {}): URLSearchParams {
  const allDefaults: Values = { page: 1, ...defaults }
  const entries = Object.entries(values).flatMap(([name, value = '']) =>
    value === (allDefaults[name] ?? '') ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(entries)
}
