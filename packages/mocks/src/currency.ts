/** The only currency that is charged. */
export const CURRENCY = 'NGN'

/** The least that the mocked gateway accepts, in kobo. */
export const MINIMUM_MINOR = 5000
