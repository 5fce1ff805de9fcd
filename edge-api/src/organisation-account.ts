/*
 * The account of an organisation: a row in `users` with the organisation's ID, as which no one can log in. Payments, letters
 * and counters belong to it. Like an erased account, it does not appear in lists of people, and its address receives no mail.
 */

const DOMAIN = '@organisation.invalid'

/**
 * Returns the account's unique address. People cannot use such an address, because the contract rejects the reserved domain
 * `.invalid` (RFC 2606).
 */
export const organisationEmail = (id: string): string => `${id}${DOMAIN}`

/** True for the address of an organisation's account. */
export const isOrganisationEmail = (email: string): boolean => email.endsWith(DOMAIN)
