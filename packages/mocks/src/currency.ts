/** The only currency that is charged. */
export const CURRENCY = 'NGN'
