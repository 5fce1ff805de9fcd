/*
 * What stands in the place of a person whose account was erased. The row itself stays, because payments and letters
 * point at it; nothing of it leads back to anyone.
 */

const DOMAIN = '@erased.invalid'

/** An address that is nobody's (RFC 2606), different for each account because addresses are. */
export const erasedEmail = (id: string): string => `${id}${DOMAIN}`

/** True for the address of an account that was erased: no mail goes there. */
export const isErasedEmail = (email: string): boolean => email.endsWith(DOMAIN)

export const erasedName = { firstname: 'Erased', middlename: null, lastname: 'account' } as const
