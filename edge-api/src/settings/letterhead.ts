import { hexOf, oklchOf } from '@portal/format/colour'
import type { Settings } from './rules.ts'

/** The institution's colour, darkened as on screens so that it is readable on white. */
export function ruleColour(accent: string | null): string | undefined {
  if (!accent) return undefined
  const { l, c, h } = oklchOf(accent)
  return hexOf({ l: Math.min(l, 0.42), c: Math.min(c, 0.1), h })
}

/** The letterhead of a document, in the institution's colour. */
export const letterheadOf = ({ name, address, support_email, accent }: Settings['institution']) => ({
  institution: name,
  address: [address, support_email],
  rule: ruleColour(accent),
})
