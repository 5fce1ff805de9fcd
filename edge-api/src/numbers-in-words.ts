/** `A, B, C and 497 more`. */
export function numbersInWords(numbers: readonly string[], most = 20): string {
  if (numbers.length <= most + 1) return numbers.join(', ')
  return `${numbers.slice(0, most).join(', ')} and ${numbers.length - most} more`
}
