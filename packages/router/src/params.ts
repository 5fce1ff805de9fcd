/* Parameters of list screens in the URL. Invalid values fall back to the defaults; values equal to the defaults are
   left out of the URL. */

/** Parses the page number; an invalid one means page 1. */
export function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

/** Returns the value if it is one of the choices, otherwise an empty string, which means "any". */
export const oneOf = <T extends string>(choices: readonly T[], text: string | null): T | '' =>
  choices.find(choice => choice === text) ?? ''

/** Returns a valid day (`YYYY-MM-DD`), otherwise an empty string. */
export const dayOf = (text: string | null): string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

type Values = Readonly<Record<string, string | number | undefined>>

/** Serialises parameters. Leaves out values equal to their defaults, which are an empty string, and 1 for `page`, unless given. */
export function paramsOf(values: Values, defaults: Values = {}): URLSearchParams {
  const allDefaults: Values = { page: 1, ...defaults }
  const set = Object.entries(values).flatMap(([name, value = '']) =>
    value === (allDefaults[name] ?? '') ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(set)
}
