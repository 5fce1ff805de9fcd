import { makeUser } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import type { Tester } from './subject.ts'

/** Defines the tests of accounts: registration, mail, login, logout, profile, passwords, and refusals. */
export function defineAccountTests({ call, callOk, login, signIn, mailedLink }: Tester) {
  const person = makeUser()
  const { email, password } = person

  test('a person registers, uses the emailed link once, and logs in', async () => {
    const refused = await call('POST', '/auth/register', {
      body: { ...person, email: 'nobody', password: 'x' },
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(Object.keys(refused.body.fields)).toEqual(expect.arrayContaining(['email', 'password']))

    expect((await call('POST', '/auth/register', { body: person })).status).toBe(201)
    expect(await login(email, password)).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } })
    const link = await mailedLink('verify-email', email)
    expect((await call('GET', `/auth/verify-email/${link}`)).status).toBe(200)
    expect((await call('GET', `/auth/verify-email/${link}`)).body.code).toBe('INVALID_VERIFICATION_TOKEN')
    expect(await login(email, password)).toMatchObject({
      status: 200,
      body: { user: { email, role: 'user' }, token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) },
    })
    expect(await login(email, `${password}x`)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CREDENTIALS' },
    })
  })

  test('a profile can be read and changed, and a logout ends the session immediately', async () => {
    const token = await signIn(email, password)
    const { firstname, middlename, phone, address } = person
    const changes = { firstname, middlename, lastname: 'Ọláṣẹ́ńí', phone, address, role: 'super_admin' }
    await callOk('PUT', '/auth/profile', { token, body: changes })
    expect((await callOk('GET', '/auth/profile', { token })).user).toMatchObject({
      lastname: 'Ọláṣẹ́ńí',
      role: 'user',
    })
    expect((await call('GET', '/admin/users', { token })).body.code).toBe('FORBIDDEN')
    await callOk('POST', '/auth/logout', { token })
    for (const path of ['/auth/profile', '/verification/history', '/notifications'])
      expect(await call('GET', path, { token })).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      })
    expect((await call('GET', '/auth/profile')).status).toBe(401)
  })

  test('a forgotten password is reset with the emailed link, which ends every session', async () => {
    const oldToken = await signIn(email, password)
    for (const address of [email, makeUser().email])
      expect((await call('POST', '/auth/forgot-password', { body: { email: address } })).status).toBe(200)
    const link = await mailedLink('reset-password', email)
    await callOk('POST', `/auth/reset-password/${link}`, { body: { password: 'Another1Pass' } })
    expect((await call('GET', '/verification/history', { token: oldToken })).status).toBe(401)
    const token = await signIn(email, 'Another1Pass')
    const wrong = { current_password: 'Wrong1Pass', new_password: 'Third1Pass' }
    expect((await call('POST', '/auth/change-password', { token, body: wrong })).body.code).toBe(
      'INVALID_CURRENT_PASSWORD',
    )
  })
}
