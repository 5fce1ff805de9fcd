/** Returns the address of a letter's Open Badge, which is also the badge's `id`. */
export const badgeAddress = (publicUrl: string, code: string): string =>
  `${publicUrl}/api/letters/${code}.ob3`

/** Returns the code of the letter to which an Open Badge with this `id` belongs, or undefined if it is not one of ours. */
export function codeOfBadge(publicUrl: string, id: string): string | undefined {
  const code = /\/(\w+)\.ob3$/.exec(id)?.[1]
  return code !== undefined && id === badgeAddress(publicUrl, code) ? code : undefined
}
