import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { makeUser } from '@portal/fixtures/factories'
import { describe, expect, test } from 'vitest'
import {
  newAccount,
  request,
  sharedPortal,
  signIn,
  waitForMailedToken,
  waitForMails,
} from '../../test/portal.ts'

const register = (body: unknown) => request('POST', '/auth/register', { body })
const login = (email: string, password: string) =>
  request('POST', '/auth/login', { body: { email, password } })

/** Sends a request with exactly these headers, because `fetch` would add its own. */
const rawGet = async (path: string, headers: Record<string, string>) => {
  const call = get(`${sharedPortal().url}/api${path}`, { headers })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { status: response.statusCode, ...((await json(response)) as object) }
}

describe('registration', () => {
  test('creates an account, which can log in once its address is confirmed', {
    tags: ['SPEC-7.2'],
  }, async () => {
    const user = makeUser({ middlename: 'Bọ́lá' })
    const registered = await register({ ...user, email: `  ${user.email.toUpperCase()} ` })
    expect(registered.status).toBe(201)
    expect(registered.body).toEqual({
      message: 'Registration successful! Please check your email to verify your account.',
    })
    const refused = await login(user.email, user.password)
    expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
    expect((await login(user.email, 'Wrong1234')).body.code).toBe('INVALID_CREDENTIALS')

    const token = await waitForMailedToken('verify-email', user.email)
    const verified = await request('GET', `/auth/verify-email/${token}`)
    expect([verified.status, verified.body]).toEqual([200, { message: 'Email verified successfully!' }])

    const { status, body } = await login(user.email, user.password)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['expires_at', 'token', 'user'])
    expect(body.user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      firstname: user.firstname,
      lastname: user.lastname,
      email: user.email,
      role: 'user',
    })
    const profile = await request('GET', '/auth/profile', { token: body.token })
    expect(profile.body.user).toMatchObject({
      middlename: 'Bọ́lá',
      phone: user.phone,
      address: user.address,
      is_verified: true,
    })
  })

  test('responds to a known address exactly as to a new one, and emails its owner', {
    tags: ['QUALITY-2', 'SPEC-7.2'],
  }, async () => {
    const known = await newAccount()
    const registration = makeUser({ email: known.email, password: 'Another1234' })
    const [newReply, knownReply] = [await register(makeUser()), await register(registration)]
    expect([knownReply.status, knownReply.body]).toEqual([newReply.status, newReply.body])
    const headerNames = (headers: Headers) => [...headers.keys()].sort()
    expect(headerNames(knownReply.headers)).toEqual(headerNames(newReply.headers))

    const [mail] = await waitForMails(known.email, { atLeast: 2 })
    expect(mail?.subject).toBe('You already have an account')
    expect(mail?.text).not.toContain('/verify-email/')
    expect((await login(known.email, 'Another1234')).status).toBe(401)
    const profile = await request('GET', '/auth/profile', { token: known.token })
    expect(profile.body.user.lastname).toBe(known.lastname)
  })

  test('creates one account for parallel registrations of the same address', async () => {
    const user = makeUser()
    const responses = await Promise.all(Array.from({ length: 6 }, () => register(user)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    const mails = await waitForMails(user.email, { atLeast: 6 })
    expect(mails.filter(mail => mail.subject === 'Confirm your email address')).toHaveLength(1)
  })

  test('ignores fields that users must not set', {
    tags: ['QUALITY-16', 'SPEC-7.2'],
  }, async () => {
    const user = makeUser()
    const { status } = await register({
      ...user,
      role: 'super_admin',
      is_verified: true,
      is_enabled: false,
      id: 'mine',
      verified_at: 1,
      confirmPassword: 'other',
    })
    expect(status).toBe(201)
    expect((await login(user.email, user.password)).body.code).toBe('EMAIL_NOT_VERIFIED')
    await request('GET', `/auth/verify-email/${await waitForMailedToken('verify-email', user.email)}`)
    const { body } = await login(user.email, user.password)
    expect(body.user.role).toBe('user')
    expect(body.user.id).not.toBe('mine')
  })

  test('reports each wrong field with the message of the specification', { tags: ['SPEC-5.2'] }, async () => {
    const { status, body } = await register({ email: 'nobody', phone: '12', password: 'short' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: {
        firstname: 'First name is required',
        lastname: 'Last name is required',
        email: 'Please enter a valid email address',
        phone: 'Please enter a valid phone number',
        address: 'Address is required',
        password: 'Password must be at least 8 characters long',
      },
    })
  })
})

describe('verification links', () => {
  test('work once', { tags: ['QUALITY-10', 'SPEC-7.5'] }, async () => {
    const user = makeUser()
    await register(user)
    const token = await waitForMailedToken('verify-email', user.email)
    expect((await request('GET', `/auth/verify-email/${token}`)).status).toBe(200)
    const secondReply = await request('GET', `/auth/verify-email/${token}`)
    expect([secondReply.status, secondReply.body.code]).toEqual([400, 'INVALID_VERIFICATION_TOKEN'])
  })

  test('confirm an address only if the page’s script uses them, not if a browser prefetches or embeds the page', async () => {
    const user = makeUser()
    await register(user)
    const path = `/auth/verify-email/${await waitForMailedToken('verify-email', user.email)}`
    const fetchMetadata = (site: string, mode: string, dest: string) => ({
      'sec-fetch-site': site,
      'sec-fetch-mode': mode,
      'sec-fetch-dest': dest,
    })
    for (const headers of [
      fetchMetadata('none', 'navigate', 'document'),
      fetchMetadata('same-origin', 'navigate', 'document'),
      fetchMetadata('cross-site', 'no-cors', 'image'),
      fetchMetadata('same-origin', 'no-cors', 'image'),
      fetchMetadata('cross-site', 'cors', 'empty'),
      fetchMetadata('same-site', 'cors', 'empty'),
      fetchMetadata('same-origin', 'cors', 'image'),
    ])
      expect(await rawGet(path, headers)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await login(user.email, user.password)).body.code).toBe('EMAIL_NOT_VERIFIED')
    expect(await rawGet(path, fetchMetadata('same-origin', 'cors', 'empty'))).toMatchObject({ status: 200 })
  })

  test('work only once in ten parallel uses', async () => {
    const user = makeUser()
    await register(user)
    const token = await waitForMailedToken('verify-email', user.email)
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => request('GET', `/auth/verify-email/${token}`)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
  })

  test('contain at least 128 random bits, and cannot be guessed', { tags: ['QUALITY-10'] }, async () => {
    const user = makeUser()
    await register(user)
    const token = await waitForMailedToken('verify-email', user.email)
    expect(token).toMatch(/^[\w-]{43}$/)
    for (const guess of [`${token}A`, token.slice(0, -1), token.toLowerCase(), 'x', '%00', "' or 1=1 --"]) {
      const { status, body } = await request('GET', `/auth/verify-email/${encodeURIComponent(guess)}`)
      expect([status, body.code]).toEqual([400, 'INVALID_VERIFICATION_TOKEN'])
    }
  })

  test('cannot be used to reset a password', async () => {
    const user = makeUser()
    await register(user)
    const token = await waitForMailedToken('verify-email', user.email)
    const reset = await request('POST', `/auth/reset-password/${token}`, {
      body: { password: 'Another1234' },
    })
    expect([reset.status, reset.body.code]).toEqual([400, 'INVALID_RESET_TOKEN'])
  })

  test('are emailed again on request, and using one invalidates all of them', {
    tags: ['SPEC-7.5'],
  }, async () => {
    const user = makeUser()
    await register(user)
    const first = await waitForMailedToken('verify-email', user.email)
    const resend = await request('POST', '/auth/resend-verification', { body: { email: user.email } })
    expect(resend.status).toBe(200)
    await waitForMails(user.email, { atLeast: 2 })
    const second = await waitForMailedToken('verify-email', user.email)
    expect(second).not.toBe(first)
    expect((await request('GET', `/auth/verify-email/${second}`)).status).toBe(200)
    expect((await request('GET', `/auth/verify-email/${first}`)).body.code).toBe('INVALID_VERIFICATION_TOKEN')
    await signIn(user.email, user.password)
  })

  test('can be requested with the same response for verified, unverified and unknown addresses', {
    tags: ['QUALITY-2', 'SPEC-7.5'],
  }, async () => {
    const verified = await newAccount()
    const unverified = makeUser()
    await register(unverified)
    const responses = []
    for (const email of [verified.email, unverified.email, makeUser().email]) {
      responses.push(await request('POST', '/auth/resend-verification', { body: { email } }))
    }
    const replies = responses.map(({ status, body }) => ({ status, body }))
    expect(replies[1]).toEqual(replies[0])
    expect(replies[2]).toEqual(replies[0])
    await waitForMails(unverified.email, { atLeast: 2 })
    expect(await waitForMails(verified.email)).toHaveLength(1)
  })
})
