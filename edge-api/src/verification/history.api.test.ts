import { beforeAll, expect, test } from 'vitest'
import {
  type Account,
  endPaymentAtGateway,
  eventually,
  newAccount,
  newCertificate,
  request,
} from '../../test/portal.ts'

let account: Account
let found: Awaited<ReturnType<typeof newCertificate>>
let declined: Awaited<ReturnType<typeof newCertificate>>
let open: Awaited<ReturnType<typeof newCertificate>>
let paid: { payment_reference: string; bpms_transaction_id: string }

const listHistory = async (query: Record<string, string> = {}) =>
  (await request('GET', `/verification/history?${new URLSearchParams(query)}`, { token: account.token })).body
const listNumbers = async (query: Record<string, string>): Promise<string[]> =>
  (await listHistory(query)).history.map((row: { certificate_number: string }) => row.certificate_number)

async function verify(number: string, code?: string, { token } = account): Promise<void> {
  const start = await request('POST', '/verification/process-payment', {
    token,
    body: { certificate_number: number },
  })
  if (code === undefined) return
  await endPaymentAtGateway(start.body.payment_reference, code)
  await eventually(async () => {
    const { body } = await request(
      'GET',
      `/verification/check-verification-status/${start.body.transaction_id}`,
      { token },
    )
    return body.status === 'pending' ? undefined : body
  }, `${number} to end`)
}

beforeAll(async () => {
  account = await newAccount()
  found = await newCertificate({ student_name: 'Adébáyọ̀ Títílayọ̀ Ọláṣẹ́ńí' })
  declined = await newCertificate({ student_name: 'Chinwe Okafor' })
  open = await newCertificate()
  await verify(found.certificate_number, '00')
  await verify(declined.certificate_number, '51')
  await verify(open.certificate_number)
  paid = (await listHistory({ outcome: 'success' })).history[0]
})

test('a verification is found by its number, its graduate’s name and its payment', {
  tags: ['SPEC-7.10'],
}, async () => {
  const only = [found.certificate_number]
  expect(await listNumbers({ search: found.certificate_number.slice(-5).toLowerCase() })).toEqual(only)
  expect(await listNumbers({ search: 'olaseni  ADEBAYO' })).toEqual(only)
  expect(await listNumbers({ search: paid.payment_reference })).toEqual(only)
  expect(await listNumbers({ search: paid.bpms_transaction_id.toLowerCase() })).toEqual(only)
  expect(await listNumbers({ search: '%' })).toEqual([])
  expect(await listNumbers({ search: 'olaseni okafor' })).toEqual([])
})

test('a search reveals nothing about a certificate that was not paid for', async () => {
  expect(await listNumbers({ search: 'Chinwe' })).toEqual([])
  expect(await listNumbers({ search: declined.certificate_number })).toEqual([declined.certificate_number])
})

test('outcome and period filter the list and its pages, but not the counters', async () => {
  expect(await listNumbers({ outcome: 'not_paid' })).toEqual([declined.certificate_number])
  expect(await listNumbers({ outcome: 'pending' })).toEqual([open.certificate_number])
  expect(await listNumbers({ outcome: 'not_found' })).toEqual([])
  const body = await listHistory({ outcome: 'success' })
  expect(body.pagination).toMatchObject({ total: 1, pages: 1 })
  expect(body.counters).toEqual({ total: 3, successful: 1, not_found: 0 })
  const today = new Date().toISOString().slice(0, 10)
  expect((await listHistory({ date_to: '2001-01-01' })).pagination.total).toBe(0)
  expect((await listHistory({ date_from: '2001-01-01', date_to: '2001-12-31' })).pagination.total).toBe(0)
  expect((await listHistory({ date_from: '2001-01-01' })).pagination.total).toBe(3)
  expect((await listHistory({ date_from: today })).pagination.total).toBeLessThanOrEqual(3)
})

test('an attempt without a result can be tried again until its number is verified or being paid for', async () => {
  const person = await newAccount()
  const { certificate_number: number } = await newCertificate()
  const rows = async (query: Record<string, string> = {}): Promise<[string, boolean][]> =>
    (
      await request('GET', `/verification/history?${new URLSearchParams(query)}`, { token: person.token })
    ).body.history.map((row: { payment_status: string; can_try_again: boolean }) => [
      row.payment_status,
      row.can_try_again,
    ])
  await verify(number, '51', person)
  expect(await rows()).toEqual([['failed', true]])
  // Verifications of other accounts do not matter.
  await verify(number, '00', await newAccount())
  expect(await rows()).toEqual([['failed', true]])
  await verify(number, undefined, person)
  expect(await rows({ outcome: 'not_paid' })).toEqual([['failed', false]])
  await verify(number, '00', person)
  expect(await rows({ outcome: 'not_paid' })).toEqual([['failed', false]])
  expect(await rows()).toEqual([
    ['paid', false],
    ['failed', false],
  ])
})

test('sorts by time and number, page by page', async () => {
  const newest = [open, declined, found].map(item => item.certificate_number)
  expect(await listNumbers({})).toEqual(newest)
  expect(await listNumbers({ sort: 'created_at' })).toEqual(newest.toReversed())
  expect(await listNumbers({ sort: 'certificate_number' })).toEqual(newest.toSorted())
  const paged = ['1', '2', '3'].map(page => listNumbers({ sort: '-certificate_number', per_page: '1', page }))
  expect((await Promise.all(paged)).flat()).toEqual(newest.toSorted().toReversed())
  expect(await listNumbers({ outcome: 'success', page: '2' })).toEqual([])
})

test('the exported file has every matching row, with its certificate and its letter', async () => {
  const file = await request('GET', '/verification/history?per_page=1&sort=created_at', {
    token: account.token,
    headers: { accept: 'text/csv' },
  })
  expect(file.headers.get('content-disposition')).toMatch(/filename="verifications_\d{4}-\d\d-\d\d\.csv"/)
  const [header, first, ...more] = String(file.body).trim().split('\r\n')
  expect(header).toMatch(
    /^id,certificate_number,certificate_details_student_name,.*,bpms_transaction_id,letter_url,/,
  )
  expect(first).toContain(`,${paid.bpms_transaction_id},`)
  expect(first).toContain(`${found.certificate_number},Adébáyọ̀ Títílayọ̀ Ọláṣẹ́ńí,`)
  expect(first).toMatch(/,5000\.00,NGN,.*,http:\S+\/letters\/\S+,valid$/)
  expect(more).toHaveLength(2)
  expect(String(file.body)).not.toContain('Chinwe')
})
