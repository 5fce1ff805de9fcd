import type { LetterLink } from '@portal/contract/letter'

/** The fields of a letter's link that the printed letter shows. */
export type PrintedLink = Pick<LetterLink, 'code' | 'url' | 'status'>

/** Formats a letter's code in three groups of four, `ABCD-EFGH-JKMN`. Existing dashes are ignored. */
export function groupLetterCode(code: string): string {
  return (
    code
      .replace(/[\s-]/g, '')
      .match(/.{1,4}/g)
      ?.join('-') ?? ''
  )
}

/** Returns the address that people type to check a letter: the host and path of `url`, without the scheme and the code. */
export function typedAddress(url: string, code: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed) return url
  const path = parsed.pathname.replace(/\/+$/, '')
  return parsed.host + (path.endsWith(`/${code}`) ? path.slice(0, -code.length - 1) : path)
}

/** The code of the specimen, which is the letter of the API's test mode and proves nothing. */
export const SPECIMEN = 'SPECIMEN'
