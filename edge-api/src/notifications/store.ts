import type { NotificationKind } from '@portal/contract/notifications'
import type { Notice } from '@portal/format/notices'
import { and, count, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../db/database.ts'
import { writeDeferred } from '../db/deferred-writes.ts'
import { notifications, users } from '../db/schema/accounts.ts'

export type NotificationRow = typeof notifications.$inferSelect

/** Maximum number of notifications per account. Older ones are deleted when a new one is added. */
export const MAX_NOTIFICATIONS = 200

export interface NewNotification extends Notice<NotificationKind> {
  userId: string
  /** Path of a page of the portal, from `links.ts`. */
  link: string | null
  /** Milliseconds since 1970. */
  at: number
}

/** Notifies one account, in the transaction of the event. Only the account's newest 200 notifications are kept. */
export async function notify(
  db: Tx,
  { userId, kind, title, body, link, at }: NewNotification,
): Promise<void> {
  const row = { id: crypto.randomUUID(), userId, kind, title, body, link, createdAt: at, readAt: null }
  await writeDeferred(db, db.insert(notifications).values(row))
  const newestExcess = db
    .select({ seq: notifications.seq })
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(desc(notifications.seq))
    .limit(1)
    .offset(MAX_NOTIFICATIONS)
  const excess = and(eq(notifications.userId, userId), lte(notifications.seq, newestExcess))
  await writeDeferred(db, db.delete(notifications).where(excess))
}

const listEnabledStaff = (db: Tx) =>
  db
    .select({ userId: users.id })
    .from(users)
    .where(and(inArray(users.role, ['admin', 'super_admin']), eq(users.isEnabled, true)))

/**
 * Notifies all staff who can log in, except those who already have the same notification unread. For events that anyone can
 * trigger repeatedly.
 * @returns whether anyone was notified
 */
export async function notifyStaffOnce(
  db: Tx,
  notification: Omit<NewNotification, 'userId'>,
): Promise<boolean> {
  let inserted = false
  for (const { userId } of await listEnabledStaff(db)) {
    const isSame = and(eq(notifications.userId, userId), eq(notifications.body, notification.body))
    const [unread] = await db
      .select({ id: notifications.id })
      .from(notifications)
      .where(and(isSame, isNull(notifications.readAt)))
      .limit(1)
    if (unread) continue
    await notify(db, { ...notification, userId })
    inserted = true
  }
  return inserted
}

/** Notifies all staff who can log in: admins and super admins. */
export async function notifyStaff(db: Tx, notification: Omit<NewNotification, 'userId'>): Promise<void> {
  for (const { userId } of await listEnabledStaff(db)) await notify(db, { ...notification, userId })
}

/** Returns one page of an account's notifications, newest first, with the total. */
export async function listNotifications(
  db: Reader,
  { userId, page, perPage }: { userId: string; page: number; perPage: number },
): Promise<{ rows: NotificationRow[]; total: number }> {
  const isOwnNotification = eq(notifications.userId, userId)
  const rows = await db
    .select()
    .from(notifications)
    .where(isOwnNotification)
    .orderBy(desc(notifications.seq))
    .limit(perPage)
    .offset((page - 1) * perPage)
  const [counted] = await db.select({ total: count() }).from(notifications).where(isOwnNotification)
  return { rows, total: counted?.total ?? 0 }
}

/** Counts the unread notifications of an account. */
export async function countUnread(db: Reader, { userId }: { userId: string }): Promise<number> {
  const [counted] = await db
    .select({ unread: count() })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
  return counted?.unread ?? 0
}

/**
 * Marks a notification as read; if it already was, the earlier time is kept.
 * @returns false if the account has no such notification
 */
export async function markRead(
  db: Tx,
  { id, userId, at }: { id: string; userId: string; at: number },
): Promise<boolean> {
  const result = await db
    .update(notifications)
    .set({ readAt: sql`coalesce(${notifications.readAt}, ${at})` })
    .where(and(eq(notifications.id, id), eq(notifications.userId, userId)))
  return result.rowsAffected === 1
}

export async function markAllRead(db: Tx, { userId, at }: { userId: string; at: number }): Promise<void> {
  await db
    .update(notifications)
    .set({ readAt: at })
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
}
