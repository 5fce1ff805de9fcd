/** Joins class names. Skips `undefined`, which CSS Modules return for unknown classes. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
