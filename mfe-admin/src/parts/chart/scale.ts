/** Returns a round and even axis maximum that is not below `value`; at least 2. */
export function axisTop(value: number): number {
  if (value <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 4, 6, 8, 10].find(item => item * power >= value) ?? 10
  return step * power
}
