import type { VerificationTemplate } from '@portal/contract/letter'

/**
 * The template if it has every part that the page reads, else null: half a letter is none, and must not take the
 * result that was paid for with it. Images, and the parts that hold nothing else, may be missing.
 */
export function wholeTemplate(
  template: VerificationTemplate | null | undefined,
): VerificationTemplate | null {
  // What comes over the wire is not checked again, so anything may be missing.
  const { header, recipient, content, signature }: Partial<VerificationTemplate> = template ?? {}
  const whole = header && Array.isArray(recipient?.address) && content?.certificate_details && signature
  return template && whole ? template : null
}
