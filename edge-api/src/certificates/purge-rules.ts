import { toIsoDate } from '@portal/format/dates'

/** Number of days for which a deleted certificate can be restored. There is no limit if letters were issued for it. */
export const RESTORABLE_DAYS = 90

const DAY = 86_400_000

/** Returns the day on which a deleted certificate is purged, `YYYY-MM-DD`; null if it has letters, because it is then kept. */
export const purgeDayOf = (deletedAt: number, hasLetters: boolean): string | null =>
  hasLetters ? null : toIsoDate(deletedAt + RESTORABLE_DAYS * DAY)

/** True if a certificate can still be restored. The deadline applies even if the purge job is late. */
export const isRestorable = (
  { deletedAt }: { deletedAt: number | null },
  hasLetters: boolean,
  now: number,
): boolean => hasLetters || deletedAt === null || deletedAt >= now - RESTORABLE_DAYS * DAY
