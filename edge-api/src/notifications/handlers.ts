import type { Notification, notifications } from '@portal/contract/notifications'
import { paginate } from '@portal/contract/shapes'
import { Fault } from '../fault.ts'
import type { HandlersOf } from '../http/serve.ts'
import { iso } from '../wire.ts'
import { countUnread, listNotifications, markAllRead, markRead, type NotificationRow } from './store.ts'

const toNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  body: row.body,
  link: row.link,
  created_at: iso(row.createdAt),
  read_at: row.readAt === null ? null : iso(row.readAt),
})

export const notificationHandlers: HandlersOf<typeof notifications> = {
  list: async ({ db, user, query }) => {
    const { page, per_page: perPage } = query
    const { rows, total } = await listNotifications(db.read, { userId: user.id, page, perPage })
    return {
      notifications: rows.map(toNotification),
      unread_count: await countUnread(db.read, { userId: user.id }),
      pagination: paginate(page, perPage, total),
    }
  },

  read: async ({ db, user, params, ports }) => {
    const unread = await db.write(async tx => {
      const found = await markRead(tx, { id: params.id, userId: user.id, at: ports.clock.now() })
      if (!found) throw new Fault('NOT_FOUND')
      return countUnread(tx, { userId: user.id })
    })
    return { unread_count: unread }
  },

  readAll: async ({ db, user, ports }) => {
    await db.write(tx => markAllRead(tx, { userId: user.id, at: ports.clock.now() }))
    return { unread_count: await countUnread(db.read, { userId: user.id }) }
  },
}
