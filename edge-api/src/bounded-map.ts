/** Adds a new key to a map that holds at most `maxSize` keys; if it is full, the oldest key is removed. */
export function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, maxSize: number): void {
  if (map.size >= maxSize) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
}

const MAX_WORDS = 20_000
/**
 * Maximum length of a cached word. V8 extracts longer substrings without copying them, so a cached one would keep the whole
 * source text in memory.
 */
const MAX_WORD_LENGTH = 12

/** Memoises `compute` for short words. It must be pure and must not return `undefined`. */
export function memoisePerWord<Value>(compute: (word: string) => Value): (word: string) => Value {
  const cache = new Map<string, Value>()
  return word => {
    const cached = cache.get(word)
    if (cached !== undefined) return cached
    const value = compute(word)
    if (word.length <= MAX_WORD_LENGTH) addBounded(cache, word, value, MAX_WORDS)
    return value
  }
}
