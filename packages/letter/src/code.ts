/** The short code of a letter as people read it: three groups of four, `ABCD-EFGH-JKMN`; typed dashes do not count. */
export function groupLetterCode(code: string): string {
  return (
    code
      .replace(/[\s-]/g, '')
      .match(/.{1,4}/g)
      ?.join('-') ?? ''
  )
}

/** The address a person types to check a letter: host and path of `url`, without scheme and code. */
export function typedAddress(url: string, code: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed) return url
  const path = parsed.pathname.replace(/\/+$/, '')
  return parsed.host + (path.endsWith(`/${code}`) ? path.slice(0, -code.length - 1) : path)
}
