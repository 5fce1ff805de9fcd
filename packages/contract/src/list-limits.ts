/*
 * The limits up to which lists are counted. Counting the matches of a search costs as much as reading them, so the API
 * stops at these limits, and screens show "or more".
 */

/** Certificates, payments, verifications and log entries. */
export const MAX_COUNTED = 10_000

/** Accounts, whose names are searched in two indexes. */
export const MAX_ACCOUNTS_COUNTED = 1000
