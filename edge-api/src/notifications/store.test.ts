import type { InArgs, InStatement } from '@libsql/client'
import { makeUser } from '@portal/fixtures/factories'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/temporary-database.ts'
import { insertUser } from '../accounts/store.ts'
import { openDatabase } from '../db/database.ts'
import {
  countUnread,
  listNotifications,
  MAX_NOTIFICATIONS,
  markAllRead,
  markRead,
  type NewNotification,
  notify,
  notifyStaff,
} from './store.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await createTemporaryDatabase()
})
afterEach(() => temporary.remove())

const T0 = Date.UTC(2026, 0, 15, 12)

async function newUser(role: 'user' | 'admin' | 'super_admin' = 'user', isEnabled = true): Promise<string> {
  const { firstname, lastname, email } = makeUser()
  const id = crypto.randomUUID()
  const at = T0
  const row = { id, firstname, lastname, email, role, isEnabled, createdAt: at, updatedAt: at }
  await temporary.database.write(tx => insertUser(tx, { ...row, passwordHash: '' }))
  return id
}

const notifyUser = (userId: string, body: string, overrides: Partial<NewNotification> = {}) =>
  temporary.database.write(tx =>
    notify(tx, { userId, kind: 'verified', title: 'Title', body, link: null, at: T0, ...overrides }),
  )

const list = (userId: string, page = 1, perPage = 100) =>
  listNotifications(temporary.database.read, { userId, page, perPage })
const countUnreadOf = (userId: string) => countUnread(temporary.database.read, { userId })
const listBodies = async (userId: string) => (await list(userId)).rows.map(row => row.body)

describe('notifications of an account', () => {
  test('are listed newest first, in order of insertion for equal times', async () => {
    const id = await newUser()
    for (const body of ['one', 'two', 'three']) await notifyUser(id, body)
    // A clock that was set back must not hide the newest notification.
    await notifyUser(id, 'four', { at: T0 - 60_000 })
    expect(await listBodies(id)).toEqual(['four', 'three', 'two', 'one'])
    const secondPage = await list(id, 2, 3)
    expect(secondPage.total).toBe(4)
    expect(secondPage.rows.map(row => row.body)).toEqual(['one'])
  })

  test('are rolled back with their change', async () => {
    const id = await newUser()
    const transaction = temporary.database.write(async tx => {
      await notify(tx, { userId: id, kind: 'verified', title: 'T', body: 'B', link: null, at: T0 })
      throw new Error('the event failed')
    })
    await expect(transaction).rejects.toThrow('the event failed')
    expect((await list(id)).total).toBe(0)
  })

  test(`are limited to ${MAX_NOTIFICATIONS} for each account`, async () => {
    const [id, other] = [await newUser(), await newUser()]
    await notifyUser(other, 'of another')
    await temporary.database.write(async tx => {
      for (let number = 1; number <= MAX_NOTIFICATIONS + 5; number++) {
        await notify(tx, { userId: id, kind: 'verified', title: 'T', body: `${number}`, link: null, at: T0 })
      }
    })
    const { total } = await list(id)
    expect(total).toBe(MAX_NOTIFICATIONS)
    expect(await countUnreadOf(id)).toBe(MAX_NOTIFICATIONS)
    const secondPage = await list(id, 2)
    expect(secondPage.rows.at(-1)?.body).toBe('6')
    expect((await list(id)).rows[0]?.body).toBe(`${MAX_NOTIFICATIONS + 5}`)
    expect(await listBodies(other)).toEqual(['of another'])
  })
})

describe('reading a notification', () => {
  test('reduces the unread count, keeps the time of the first reading, and affects no other account', async () => {
    const [id, other] = [await newUser(), await newUser()]
    await notifyUser(id, 'one')
    await notifyUser(id, 'two')
    await notifyUser(other, 'of another')
    const [newest] = (await list(id)).rows
    const markAsRead = (userId: string, at: number) =>
      temporary.database.write(tx => markRead(tx, { id: newest?.id ?? '', userId, at }))
    expect(await markAsRead(other, T0 + 1)).toBe(false)
    expect(await countUnreadOf(id)).toBe(2)
    expect(await markAsRead(id, T0 + 2)).toBe(true)
    expect(await markAsRead(id, T0 + 3)).toBe(true)
    expect((await list(id)).rows.map(row => row.readAt)).toEqual([T0 + 2, null])
    await temporary.database.write(tx => markAllRead(tx, { userId: id, at: T0 + 4 }))
    expect((await list(id)).rows.map(row => row.readAt)).toEqual([T0 + 2, T0 + 4])
    expect([await countUnreadOf(id), await countUnreadOf(other)]).toEqual([0, 1])
  })

  test('is reported as not found if there is no such notification', async () => {
    const userId = await newUser()
    const id = 'no such'
    expect(await temporary.database.write(tx => markRead(tx, { id, userId, at: T0 }))).toBe(false)
  })
})

test('notifications for staff go to all administrators who can log in, and to no one else', async () => {
  const recipients = [await newUser('admin'), await newUser('super_admin')]
  const unaffectedUsers = [await newUser('user'), await newUser('admin', false)]
  await temporary.database.write(tx =>
    notifyStaff(tx, { kind: 'payment_mismatch', title: 'T', body: 'B', link: null, at: T0 }),
  )
  expect(await Promise.all(recipients.map(countUnreadOf))).toEqual([1, 1])
  expect(await Promise.all(unaffectedUsers.map(countUnreadOf))).toEqual([0, 0])
})

test('notifications are deleted when their account is erased', async () => {
  const id = await newUser()
  await notifyUser(id, 'one')
  await temporary.database.client.execute({ sql: 'pragma foreign_keys = on' })
  await temporary.database.client.execute({ sql: 'delete from users where id = ?', args: [id] })
  expect((await list(id)).total).toBe(0)
})

/** Returns a client that records the SQL that passes through it, including that of transactions. */
function recordStatements<T extends object>(target: T, statements: InStatement[]): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        if (name === 'execute') statements.push(args[0] as InStatement)
        const result: unknown = await value.apply(object, args)
        return name === 'transaction' ? recordStatements(result as object, statements) : result
      }
    },
  })
}

test('listing, counting, reading, creating and trimming notifications uses an index, never a full scan', async () => {
  const { client } = temporary.database
  const id = await newUser('admin')
  const statements: InStatement[] = []
  const database = openDatabase(recordStatements(client, statements), { serialiseWrites: true })
  const notification = { kind: 'verified', title: 'T', body: 'B', link: null, at: T0 } as const
  await database.write(tx => notifyStaff(tx, notification))
  const { rows } = await listNotifications(database.read, { userId: id, page: 1, perPage: 20 })
  await countUnread(database.read, { userId: id })
  await database.write(tx => markRead(tx, { id: rows[0]?.id ?? '', userId: id, at: T0 }))
  await database.write(tx => markAllRead(tx, { userId: id, at: T0 }))

  const plans: string[] = []
  for (const { sql, args } of statements as { sql: string; args: InArgs }[]) {
    const plan = await client.execute({ sql: `explain query plan ${sql}`, args })
    plans.push(...plan.rows.map(row => String(row.detail)))
  }
  expect(plans.filter(step => /notifications_(by_user|unread)/.test(step)).length).toBeGreaterThanOrEqual(5)
  expect(plans.filter(step => step.startsWith('SCAN'))).toEqual([])
  expect(plans).toContainEqual(expect.stringContaining('INDEX users_by_role (role=?)'))
  expect(plans.filter(step => step.includes('TEMP B-TREE'))).toEqual([])
})
