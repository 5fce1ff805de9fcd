// Converts names between their notations.

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** An error about an invalid or existing name; it is printed without a stack trace. */
export class Refusal extends Error {}

/**
 * Returns a name if it is in kebab case, and refuses it otherwise.
 * @param {string} what the name is for
 * @param {string | undefined} name
 * @returns {string}
 * @throws {Refusal}
 */
export function requireKebabCase(what, name) {
  if (name !== undefined && KEBAB.test(name) && name.length <= 40) return name
  const problem = name === undefined ? 'is missing' : `cannot be ‘${name}’`
  throw new Refusal(
    `The ${what} ${problem}: use lower-case letters, digits and dashes, for example monthly-totals.`,
  )
}

const capitalise = word => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Converts `monthly-totals` to `MonthlyTotals`. @param {string} name */
export const toPascalCase = name => name.split('-').map(capitalise).join('')

/** Converts `monthly-totals` to `monthlyTotals`. @param {string} name */
export const toCamelCase = name => name.slice(0, 1) + toPascalCase(name).slice(1)

/** Converts `monthly-totals` to `Monthly Totals`. @param {string} name */
export const toTitle = name => name.split('-').map(capitalise).join(' ')

/** Converts `adminUsers` to `admin-users`. @param {string} name */
export const toKebabCase = name => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
