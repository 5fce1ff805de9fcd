import { toIsoDate } from '@portal/format/dates'

/** Days for which a deleted certificate can be restored, unless letters were issued for it: then there is no limit. */
export const RESTORABLE_DAYS = 90

const DAY = 86_400_000

/** The day on which a deleted certificate is removed for good, `YYYY-MM-DD`; null for one with letters. */
export const purgeDay = (deletedAt: number, hasLetters: boolean): string | null =>
  hasLetters ? null : toIsoDate(deletedAt + RESTORABLE_DAYS * DAY)
