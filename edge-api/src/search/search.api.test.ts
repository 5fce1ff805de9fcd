import { beforeAll, describe, expect, test } from 'vitest'
import { newAccount, newCertificate, request, staffToken } from '../../test/portal.ts'

let admin: string
let superAdmin: string
beforeAll(async () => {
  admin = await staffToken('admin')
  superAdmin = await staffToken('super_admin')
})

const search = (token: string, q: string) =>
  request('GET', `/admin/search?${new URLSearchParams({ q })}`, { token })
const readResults = async (token: string, q: string) => (await search(token, q)).body

describe('GET /admin/search', () => {
  test('finds certificates by number, name and course, and returns at most five', async () => {
    const tag = crypto.randomUUID().slice(0, 8)
    const mine = await newCertificate({ student_name: `Ọláṣẹ́ńí ${tag}` })
    for (const q of [mine.certificate_number.toLowerCase(), `olaseni ${tag}`])
      expect((await readResults(admin, q)).certificates).toEqual([
        {
          id: mine.id,
          certificate_number: mine.certificate_number,
          student_name: mine.student_name,
          course: mine.course,
        },
      ])
    for (let item = 0; item < 6; item++) await newCertificate({ course: `Course ${tag}` })
    expect((await readResults(admin, `course ${tag}`)).certificates).toHaveLength(5)
  })

  test('finds certificates by the beginning of their matric number', async () => {
    const matric = `csc/${crypto.randomUUID().slice(0, 8)}`
    const { id } = await newCertificate({ matric_number: `${matric}/1`.toUpperCase() })
    expect((await readResults(admin, matric)).certificates).toMatchObject([{ id }])
  })

  test('admins find ordinary users only, and super admins find everyone', {
    tags: ['STAFF-19'],
  }, async () => {
    const account = await newAccount({ firstname: 'Ṣadé', lastname: `Quick${Date.now()}` })
    const name = `sade ${account.lastname}`
    expect((await readResults(admin, name)).users).toEqual([
      {
        id: account.id,
        name: `Ṣadé ${account.lastname}`,
        email: account.email,
        role: 'user',
      },
    ])
    await request('PUT', `/admin/users/${account.id}/role`, { token: superAdmin, body: { role: 'admin' } })
    expect((await readResults(admin, name)).users).toEqual([])
    expect((await readResults(superAdmin, name)).users).toMatchObject([{ id: account.id, role: 'admin' }])
  })

  test('finds payments by transaction ID as displayed, by reference and by certificate number', async () => {
    const account = await newAccount()
    const { certificate_number } = await newCertificate()
    const { body: started } = await request('POST', '/verification/process-payment', {
      token: account.token,
      body: { certificate_number },
    })
    const { transaction_id, payment_reference } = started
    const shown = transaction_id.match(/.{4}/g).join('-').toLowerCase()
    for (const q of [
      transaction_id,
      shown,
      transaction_id.slice(0, 12),
      payment_reference,
      certificate_number,
    ])
      expect([q, (await readResults(admin, q)).transactions]).toEqual([
        q,
        [
          {
            transaction_id,
            payment_reference,
            email: account.email,
            status: 'pending',
            amount: started.amount_paid,
            currency: 'NGN',
            created_at: expect.stringMatching(/Z$/),
          },
        ],
      ])
    // A search for the common prefix of all IDs finds nothing.
    expect((await readResults(admin, 'cvf')).transactions).toEqual([])
  })

  test('treats search operators as ordinary text', async () => {
    for (const q of ['"or" NEAR(', '%%', '__', "';--", '* AND *'])
      expect(await search(admin, q)).toMatchObject({ status: 200 })
  })

  test('requires at least two characters, and a staff account', async () => {
    const short = await search(admin, ' x ')
    expect(short).toMatchObject({
      status: 400,
      body: { fields: { q: 'Please enter at least 2 characters.' } },
    })
    const { token } = await newAccount()
    expect((await search(token, 'demo')).status).toBe(403)
    expect((await request('GET', '/admin/search?q=demo')).status).toBe(401)
  })
})
