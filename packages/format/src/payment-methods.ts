/** Formats payment methods as "Card" or "Bank transfer, USSD"; an API that does not report them accepts cards. */
export const methodsInBrief = (methods: readonly string[] = ['card']): string =>
  methods
    .join(', ')
    .replaceAll('_', ' ')
    .replace(/\b(ussd|qr)\b|^\w/g, word => word.toUpperCase()) || 'Shown before you pay'
