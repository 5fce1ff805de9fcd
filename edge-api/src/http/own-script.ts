import { Fault } from '../fault.ts'

/** What the browser reports about a call by a script of this origin (Fetch Metadata, W3C). */
const OWN_SCRIPT = {
  'sec-fetch-site': ['same-origin'],
  'sec-fetch-mode': ['cors', 'same-origin'],
  'sec-fetch-dest': ['empty'],
}

/**
 * For a GET that changes something: refuses what a browser sends of itself, as a page that is opened, an image, or another
 * origin's script. What says nothing of itself is no browser.
 * @throws Fault `FORBIDDEN`
 */
export function requireOwnScript({ header }: { header(name: string): string | undefined }): void {
  for (const [name, accepted] of Object.entries(OWN_SCRIPT)) {
    const said = header(name)
    if (said !== undefined && !accepted.includes(said))
      throw new Fault('FORBIDDEN', { message: 'Please open the link as it was mailed to you.' })
  }
}
