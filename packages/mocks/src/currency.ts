/** The only currency that the mocks support. */
export const CURRENCY = 'NGN'

/** Minimum amount of a payment at the mocked gateway, in kobo. */
export const MINIMUM_MINOR = 5000
