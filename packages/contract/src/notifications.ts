import './zod-setup.ts'
import * as z from 'zod'
import { route } from './route.ts'
import { pageQuery, pagination, timestamp } from './shapes.ts'

/** Kinds of notifications. */
export const notificationKinds = [
  'verified',
  'not_found',
  'refund_due',
  'payment_failed',
  'payment_expired',
  'payment_review',
  'payment_reversed',
  'payment_mismatch',
  'refund_sent',
  'refund_trouble',
  'payment_orphan',
  'dispute_opened',
  'dispute_due',
  'dispute_ended',
  'certificate_withdrawn',
  'certificate_corrected',
  'certificate_restored',
  'letter_unprintable',
  'job_finished',
  'job_failed',
  'email_verified',
  'password_changed',
  'organisation_invitation',
  'organisation_state',
  'balance_credited',
  'balance_low',
  'batch_completed',
  'webhook_disabled',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const notification = z.object({
  id: z.string(),
  kind: z.enum(notificationKinds),
  title: z.string(),
  body: z.string(),
  link: z.string().nullable().describe('Path of a page of the portal.'),
  created_at: timestamp,
  read_at: timestamp.nullable(),
})
export type Notification = z.infer<typeof notification>

const unreadCount = z.object({ unread_count: z.int() })

export const notifications = {
  list: route({
    method: 'GET',
    path: '/notifications',
    access: 'user',
    summary: 'The caller’s notifications, newest first, and the number of unread ones.',
    query: z.object(pageQuery(20)),
    reply: unreadCount.extend({ notifications: z.array(notification), pagination }),
  }),
  read: route({
    method: 'POST',
    path: '/notifications/{id}/read',
    access: 'user',
    summary: 'Mark one notification as read. Safe to repeat.',
    params: z.object({ id: z.string().max(100) }),
    reply: unreadCount,
  }),
  readAll: route({
    method: 'POST',
    path: '/notifications/read-all',
    access: 'user',
    summary: 'Mark all of the caller’s notifications as read.',
    reply: unreadCount,
  }),
}
