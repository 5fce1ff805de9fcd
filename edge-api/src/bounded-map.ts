/** Adds a new key to a map that holds at most `maxSize` keys; if it is full, the oldest key is removed. */
export function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, maxSize: number): void {
  if (map.size >= maxSize) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
}

const MAX_WORDS = 20_000
/** V8 keeps the whole text from which a longer word was cut. */
const MAX_WORD_LENGTH = 12

/** Returns the same function with a cache of its results for short words. It must be pure and never return `undefined`. */
export function cachedPerWord<Value>(compute: (word: string) => Value): (word: string) => Value {
  const cache = new Map<string, Value>()
  return word => {
    const cached = cache.get(word)
    if (cached !== undefined) return cached
    const value = compute(word)
    if (word.length <= MAX_WORD_LENGTH) addBounded(cache, word, value, MAX_WORDS)
    return value
  }
}
