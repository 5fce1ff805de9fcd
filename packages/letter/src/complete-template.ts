import type { VerificationTemplate } from '@portal/contract/letter'

/**
 * Returns the template if it has every part that the page needs, otherwise null. An incomplete template counts as missing,
 * so that the paid result is still shown. Images and their containers may be missing.
 */
export function completeTemplate(
  template: VerificationTemplate | null | undefined,
): VerificationTemplate | null {
  // API responses are not validated here, so anything may be missing.
  const { header, recipient, content, signature }: Partial<VerificationTemplate> = template ?? {}
  const whole = header && Array.isArray(recipient?.address) && content?.certificate_details && signature
  return template && whole ? template : null
}
