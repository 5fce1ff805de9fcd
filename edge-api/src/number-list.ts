/** Joins certificate numbers into a list, for example `A, B, C and 497 more`. */
export function formatNumberList(numbers: readonly string[], max = 20): string {
  if (numbers.length <= max + 1) return numbers.join(', ')
  return `${numbers.slice(0, max).join(', ')} and ${numbers.length - max} more`
}
