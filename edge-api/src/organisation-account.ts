/*
 * The account of an organisation: a row in `users` with the organisation's id that no one can log in to. Payments, letters
 * and counters belong to it. Like an erased account it is in no list of people, and its address receives no mail.
 */

const DOMAIN = '@organisation.invalid'

/** Returns the account's unique address. The contract refuses the reserved domain `.invalid` (RFC 2606) for people. */
export const organisationEmail = (id: string): string => `${id}${DOMAIN}`

/** True for the address of an organisation's account. */
export const isOrganisationEmail = (email: string): boolean => email.endsWith(DOMAIN)
