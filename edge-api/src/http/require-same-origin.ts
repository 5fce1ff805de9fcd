import { Fault } from '../fault.ts'

/** Values of the Fetch Metadata headers (W3C) that browsers send for a call by a script of this origin. */
const SAME_ORIGIN_FETCH = {
  'sec-fetch-site': ['same-origin'],
  'sec-fetch-mode': ['cors', 'same-origin'],
  'sec-fetch-dest': ['empty'],
}

/**
 * Rejects navigations, subresource loads and cross-origin requests (Fetch Metadata). Requests without these headers are
 * allowed, because API clients and older browsers do not send them.
 * @param message replaces the catalogue's message
 * @throws Fault `FORBIDDEN`
 */
export function requireSameOriginFetch(
  { header }: { header(name: string): string | undefined },
  message?: string,
): void {
  for (const [name, accepted] of Object.entries(SAME_ORIGIN_FETCH)) {
    const value = header(name)
    if (value !== undefined && !accepted.includes(value))
      throw new Fault('FORBIDDEN', message === undefined ? {} : { message })
  }
}
