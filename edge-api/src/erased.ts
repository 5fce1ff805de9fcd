import { isOrganisationEmail } from './organisation-account.ts'

/*
 * Values that replace the personal data of an erased account. Its row is kept, because payments and letters refer to it, but
 * nothing in it identifies anyone.
 */

const DOMAIN = '@erased.invalid'

/**
 * Shown on screens and in exports instead of the person's email address. No one can register it, because it is not a valid
 * address.
 */
export const ERASED_ACCOUNT = 'Erased account'

/**
 * Returns a unique address that no one can guess or receive mail at. The contract rejects the reserved domain `.invalid` (RFC
 * 2606), and 122 random bits prevent a collision with addresses that were registered before the contract rejected it.
 */
export const erasedEmail = (): string => `${crypto.randomUUID()}${DOMAIN}`

/** True for the address of an erased account. */
const isErasedEmail = (email: string): boolean => email.endsWith(DOMAIN)

/** Shown on screens and in exports instead of the address of an organisation's account. */
const ORGANISATION_ACCOUNT = 'Organisation'

/** True for the address of an erased account or of an organisation's account. No mail is sent to these. */
export const receivesNoMail = (email: string): boolean => isErasedEmail(email) || isOrganisationEmail(email)

/** Returns the email address as staff see it. */
export function displayEmail<T extends string | null>(
  email: T,
): T | typeof ERASED_ACCOUNT | typeof ORGANISATION_ACCOUNT {
  if (email === null) return email
  if (isErasedEmail(email)) return ERASED_ACCOUNT
  return isOrganisationEmail(email) ? ORGANISATION_ACCOUNT : email
}

export const erasedName = { firstname: 'Erased', middlename: null, lastname: 'account' } as const
