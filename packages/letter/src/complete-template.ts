import type { VerificationTemplate } from '@portal/contract/letter'

/**
 * Returns the template if it has every part that the page needs, otherwise null. Treating an incomplete template as missing
 * means that the result that was paid for can still be shown. Images and the objects that contain them may be missing.
 */
export function templateIfComplete(
  template: VerificationTemplate | null | undefined,
): VerificationTemplate | null {
  // API responses are not validated here, so any part may be missing.
  const { header, recipient, content, signature }: Partial<VerificationTemplate> = template ?? {}
  const isComplete = header && Array.isArray(recipient?.address) && content?.certificate_details && signature
  return template && isComplete ? template : null
}
