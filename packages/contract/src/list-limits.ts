/*
 * Limits up to which the entries of lists are counted. Counting the matches of a search costs as much as reading them, so the
 * API stops counting there, and screens show "or more".
 */

/** Limit for certificates, payments, verifications and log entries. */
export const MAX_COUNTED = 10_000

/** Limit for accounts; it is lower, because a search for a name uses two indexes. */
export const MAX_ACCOUNTS_COUNTED = 1000
