import { hexOf, oklchOf } from '@portal/format/colour'
import type { Settings } from './rules.ts'

/** Returns the institution's colour, darkened in the same way as on screens, so that it is readable on white. */
export function toRuleColour(accent: string | null): string | undefined {
  if (!accent) return undefined
  const { l, c, h } = oklchOf(accent)
  return hexOf({ l: Math.min(l, 0.42), c: Math.min(c, 0.1), h })
}

/** Returns the letterhead of a document, with the institution's colour. */
export const toLetterhead = ({ name, address, support_email, accent }: Settings['institution']) => ({
  institution: name,
  address: [address, support_email],
  rule: toRuleColour(accent),
})
