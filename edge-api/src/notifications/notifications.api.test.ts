import type { Notification } from '@portal/contract/notifications'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { describe, expect, test } from 'vitest'
import {
  type Account,
  endPaymentAtGateway,
  newAccount,
  newCertificate,
  request,
  signIn,
  staffToken,
} from '../../test/portal.ts'

interface ListedNotification {
  notifications: Notification[]
  unread_count: number
  pagination: { total: number; pages: number; has_next: boolean }
}

async function readNotifications(token: string, query = ''): Promise<ListedNotification> {
  const { status, body } = await request('GET', `/notifications${query}`, { token })
  expect(status).toBe(200)
  return body
}

const readTitles = async (token: string) =>
  (await readNotifications(token)).notifications.map(({ title }) => title)
const markRead = (token: string, id: string) => request('POST', `/notifications/${id}/read`, { token })

/** Pays for a certificate that only this test uses; the gateway ends the payment with this code. */
async function pay(account: Account, code: string) {
  const certificate = await newCertificate()
  const body = { certificate_number: certificate.certificate_number }
  const started = await request('POST', '/verification/process-payment', { token: account.token, body })
  expect(started.body.status).toBe('payment_initiated')
  await endPaymentAtGateway(started.body.payment_reference, code)
  const path = `/verification/check-verification-status/${started.body.transaction_id}`
  await expect
    .poll(async () => (await request('GET', path, { token: account.token })).body.status, {
      interval: 200,
    })
    .not.toBe('pending')
  return certificate
}

describe('an account’s notifications', () => {
  test('start with a welcome, followed by the outcomes of its payments', async () => {
    const account = await newAccount()
    const first = await readNotifications(account.token)
    expect(first).toEqual({
      notifications: [
        {
          id: expect.any(String),
          kind: 'email_verified',
          title: 'Email verified',
          body: 'Welcome. Your account is active.',
          link: '/dashboard/verify',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          read_at: null,
        },
      ],
      unread_count: 1,
      pagination: { page: 1, pages: 1, per_page: 20, total: 1, has_prev: false, has_next: false },
    })

    const declined = await pay(account, '51')
    const verified = await pay(account, '00')
    const after = await readNotifications(account.token)
    expect(after.unread_count).toBe(3)
    expect(after.notifications.map(({ title, body, link }) => ({ title, body, link }))).toEqual([
      {
        title: 'Certificate verified',
        body: `${verified.certificate_number}: the official letter is ready to print.`,
        link: '/dashboard/history',
      },
      {
        title: 'Payment failed',
        body: `${declined.certificate_number}: Insufficient funds. Please check your account balance.`,
        link: '/dashboard/verify',
      },
      expect.objectContaining({ title: 'Email verified' }),
    ])

    const secondPage = await readNotifications(account.token, '?page=2&per_page=2')
    expect(secondPage.notifications.map(({ title }) => title)).toEqual(['Email verified'])
    expect(secondPage).toMatchObject({ unread_count: 3, pagination: { total: 3, pages: 2, has_next: false } })
  })

  test('can be marked as read one by one, or all together', { tags: ['SPEC-2.35'] }, async () => {
    const account = await newAccount()
    await pay(account, '51')
    const [newest] = (await readNotifications(account.token)).notifications
    const id = newest?.id ?? ''
    expect(await markRead(account.token, id)).toMatchObject({ status: 200, body: { unread_count: 1 } })
    const [readOnce] = (await readNotifications(account.token)).notifications
    expect(readOnce?.read_at).not.toBeNull()
    expect(await markRead(account.token, id)).toMatchObject({ status: 200, body: { unread_count: 1 } })
    expect((await readNotifications(account.token)).notifications[0]?.read_at).toBe(readOnce?.read_at)
    const all = await request('POST', '/notifications/read-all', { token: account.token })
    expect([all.status, all.body]).toEqual([200, { unread_count: 0 }])
    const { notifications, unread_count } = await readNotifications(account.token)
    expect(unread_count).toBe(0)
    expect(notifications.every(({ read_at }) => read_at !== null)).toBe(true)
  })

  test('are private: other accounts cannot find them', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    const [notification] = (await readNotifications(account.token)).notifications
    const [asOther, unknown, asSuperAdmin] = await Promise.all([
      markRead(other.token, notification?.id ?? ''),
      markRead(other.token, crypto.randomUUID()),
      markRead(await staffToken('super_admin'), notification?.id ?? ''),
    ])
    for (const { status, body } of [asOther, unknown, asSuperAdmin]) {
      expect([status, body.code, body.error]).toEqual([404, 'NOT_FOUND', unknown.body.error])
    }
    await request('POST', '/notifications/read-all', { token: other.token })
    expect((await readNotifications(account.token)).unread_count).toBe(1)
  })

  test('cannot be read without a session', async () => {
    for (const [method, path] of [
      ['GET', '/notifications'],
      ['POST', '/notifications/read-all'],
      ['POST', `/notifications/${crypto.randomUUID()}/read`],
    ] as const) {
      expect(await request(method, path)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    }
  })

  test.each(['?page=0', '?per_page=101', '?page=x'])('cannot be requested with %s', async query => {
    const { token } = await newAccount()
    expect(await request('GET', `/notifications${query}`, { token })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })

  test('include one for a changed password', async () => {
    const account = await newAccount()
    const body = { current_password: account.password, new_password: 'Another1234' }
    expect((await request('POST', '/auth/change-password', { token: account.token, body })).status).toBe(200)
    expect(await readTitles(account.token)).toEqual(['Password changed', 'Email verified'])
  })
})

test('a letter holder is notified of a correction, then of a withdrawal; others are not', async () => {
  const [holder, other] = [await newAccount(), await newAccount()]
  const { id, uploader_email: _, uploaded_at: __, ...fields } = await pay(holder, '00')
  const token = await staffToken('admin')
  const corrected = await request('PUT', `/admin/certificates/${id}`, {
    token,
    body: { ...fields, grade: 'Pass' },
  })
  expect(corrected.status).toBe(200)
  expect((await request('DELETE', `/admin/certificates/${id}`, { token })).status).toBe(200)
  const { notifications } = await readNotifications(holder.token)
  expect(notifications.map(({ title, body }) => ({ title, body })).slice(0, 2)).toEqual([
    {
      title: 'Certificate withdrawn',
      body: `${fields.certificate_number}: the certificate was withdrawn, so your letter for it is no longer valid.`,
    },
    {
      title: 'Certificate corrected',
      body: `${fields.certificate_number}: the certificate was corrected after your letter was issued. The corrected letter is in your history, free of charge.`,
    },
  ])
  expect(await readTitles(other.token)).toEqual(['Email verified'])
})

test('the demo account has notifications, some of them unread', async () => {
  const { token } = await signIn(personas.user.email, DEMO_PASSWORD)
  const { notifications, pagination } = await readNotifications(token, '?per_page=100')
  expect(pagination.total).toBeGreaterThanOrEqual(10)
  expect(notifications.map(({ title }) => title)).toEqual(expect.arrayContaining(['Certificate verified']))
  const times = notifications.map(({ created_at }) => created_at)
  expect(times).toEqual([...times].sort().reverse())
})
