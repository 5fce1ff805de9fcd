const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/

/** Parses a typed amount in naira, with or without thousands separators and naira sign; undefined if it is invalid. */
export function parseAmount(text: string): number | undefined {
  const plain = text.replace(/[\s,₦]/g, '')
  return AMOUNT.test(plain) ? Number(plain) : undefined
}
