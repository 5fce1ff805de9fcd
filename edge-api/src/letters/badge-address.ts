/** Address of a letter's Open Badge, which is its `id` too. */
export const badgeAddress = (publicUrl: string, code: string): string =>
  `${publicUrl}/api/letters/${code}.ob3`

/** The code of the letter whose Open Badge has this `id`. */
export function codeOfBadge(publicUrl: string, id: string): string | undefined {
  const code = /\/(\w+)\.ob3$/.exec(id)?.[1]
  return code !== undefined && id === badgeAddress(publicUrl, code) ? code : undefined
}
