/** Formats payment methods as "Card" or "Bank transfer, USSD". If the API does not report any, cards are assumed. */
export const formatMethods = (methods: readonly string[] = ['card']): string =>
  methods
    .join(', ')
    .replaceAll('_', ' ')
    .replace(/\b(ussd|qr)\b|^\w/g, word => word.toUpperCase()) || 'Shown before you pay'
