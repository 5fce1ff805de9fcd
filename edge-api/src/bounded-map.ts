/** Adds a new key to a map that holds at most `most` keys; if it is full, the oldest key is removed. */
export function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
}

/** Limits of caches of words. V8 would keep the whole text from which a longer word was cut. */
export const MAX_WORDS = 20_000
export const LONGEST_WORD = 12
