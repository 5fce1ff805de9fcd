/** Returns a record with a value for each of the keys; `Object.fromEntries` with a precise type. */
export const byKey = <Key extends string, Value>(
  keys: readonly Key[],
  valueAt: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map(key => [key, valueAt(key)])) as Record<Key, Value>
