import { Fault } from '../fault.ts'

/** What the browser reports about a call by a script of this origin (Fetch Metadata, W3C). */
const OWN_SCRIPT = {
  'sec-fetch-site': ['same-origin'],
  'sec-fetch-mode': ['cors', 'same-origin'],
  'sec-fetch-dest': ['empty'],
}

/**
 * For a GET that changes something: refuses requests that browsers send automatically, for an opened page, an image, or another
 * origin's script. A client without these headers is not a browser.
 * @throws Fault `FORBIDDEN`
 */
export function requireOwnScript({ header }: { header(name: string): string | undefined }): void {
  for (const [name, accepted] of Object.entries(OWN_SCRIPT)) {
    const value = header(name)
    if (value !== undefined && !accepted.includes(value))
      throw new Fault('FORBIDDEN', { message: 'Please open the link exactly as it was emailed to you.' })
  }
}
