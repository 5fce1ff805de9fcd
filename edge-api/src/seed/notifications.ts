import type { DemoNotification } from '@portal/fixtures/notifications'
import type { Persona } from '@portal/fixtures/personas'
import type { Tx } from '../db/database.ts'
import { notifications as table } from '../db/schema/accounts.ts'

/** Stores the demo's notifications, oldest first, because the order of the table's rows is that of the list. */
export async function insertDemoNotifications(
  db: Tx,
  {
    notifications,
    people,
  }: { notifications: readonly DemoNotification[]; people: ReadonlyMap<string, Persona> },
): Promise<void> {
  const rows = notifications.map(({ user_email, created_at, read_at, ...notification }) => {
    const person = people.get(user_email)
    if (!person) throw new Error(`no persona ${user_email}`)
    return {
      ...notification,
      id: crypto.randomUUID(),
      userId: person.id,
      createdAt: Date.parse(created_at),
      readAt: read_at === null ? null : Date.parse(read_at),
    }
  })
  await db.insert(table).values(rows)
}
