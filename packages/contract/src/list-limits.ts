/*
 * How far lists count. Counting the matches of a search costs as much as reading them, and no one turns so many pages:
 * beyond these the API stops, and screens say "or more".
 */

/** Certificates, payments, verifications and log entries. */
export const MOST_COUNTED = 10_000

/** Accounts, whose names are looked up in two indexes. */
export const MOST_ACCOUNTS_COUNTED = 1000
