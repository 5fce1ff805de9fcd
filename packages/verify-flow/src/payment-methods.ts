/** "Card", "Bank transfer, USSD": the gateway's words for the ways to pay; an API that does not report them takes cards. */
export const methodsInBrief = (methods: readonly string[] = ['card']): string =>
  methods
    .join(', ')
    .replaceAll('_', ' ')
    .replace(/\b(ussd|qr)\b|^\w/g, word => word.toUpperCase()) || 'Shown before you pay'
