/** Placeholder for a missing value. */
export const EMPTY_VALUE = '–'
