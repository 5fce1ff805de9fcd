/** Joins the class names that are there. CSS Modules give `undefined` for a class a style sheet does not have. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
