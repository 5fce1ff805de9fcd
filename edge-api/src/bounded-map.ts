/** Adds a new key to a map that holds at most `most` keys; if it is full, the oldest key is removed. */
export function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
}
