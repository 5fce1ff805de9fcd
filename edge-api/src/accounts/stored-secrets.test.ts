import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { makeUser } from '@portal/fixtures/factories'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  eventually,
  newAccount,
  request,
  signIn,
  waitForMailedToken,
} from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'
import { hashPassword } from './passwords.ts'

// A separate portal, on Deno, with the production password cost: these tests inspect its database
// and its secrets.

const SECRET = 'the-secret-of-these-tests-0123456789abcdef'
const OLD_SECRET = 'the-previous-secret-0123456789abcdefghij'
let portal: RunningPortal
let client: Client
let account: Account
beforeAll(async () => {
  portal = await startPortal({ JWT_SECRET: `${SECRET},${OLD_SECRET}`, PASSWORD_COST: '', SEED: 'none' })
  client = createClient({ url: `file:${portal.folder}/portal.db`, timeout: 5000 })
  account = await newAccount({}, portal)
})
afterAll(async () => {
  client?.close()
  await portal?.stop()
})

const readProfile = (token: string) => request('GET', '/auth/profile', { portal, token })
const setUser = (assignment: string) =>
  client.execute({ sql: `update users set ${assignment} where id = ?`, args: [account.id] })

describe('a login', () => {
  test('takes as long for an unknown email address as for a wrong password', {
    tags: ['QUALITY-1'],
  }, async () => {
    const measureLogin = async (email: string) => {
      const started = performance.now()
      const { status } = await request('POST', '/auth/login', {
        portal,
        body: { email, password: 'Wrong1234' },
      })
      expect(status).toBe(401)
      return performance.now() - started
    }
    // Other work on the machine slows down individual calls, but not always the same one of a pair.
    let [isKnownLonger, isUnknownLonger] = [true, true]
    for (let pairs = 0; pairs < 15 && (isKnownLonger || isUnknownLonger); pairs++) {
      const [known, unknown] = [await measureLogin(account.email), await measureLogin(makeUser().email)]
      isKnownLonger &&= known > 1.25 * unknown
      isUnknownLonger &&= unknown > 1.25 * known
    }
    expect({ isKnownLonger, isUnknownLonger }).toEqual({ isKnownLonger: false, isUnknownLonger: false })
  })
})

describe('the database', () => {
  test('contains salted scrypt hashes with their parameters, and no passwords or links', {
    tags: ['QUALITY-10', 'QUALITY-11'],
  }, async () => {
    const user = makeUser({ password: 'Unmistakable-Passw0rd' })
    await request('POST', '/auth/register', { portal, body: user })
    const verification = await waitForMailedToken('verify-email', user.email, portal)
    await request('POST', '/auth/forgot-password', { portal, body: { email: user.email } })
    const reset = await waitForMailedToken('reset-password', user.email, portal)

    // The row of an organisation has an empty password hash, with which no one can log in.
    const { rows } = await client.execute("select password_hash as hash from users where password_hash <> ''")
    for (const { hash } of rows) expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length)

    const files = (await readdir(portal.folder)).filter(name => name.startsWith('portal.db'))
    const bytes = await Promise.all(files.map(name => readFile(path.join(portal.folder, name), 'latin1')))
    const dump = bytes.join('\n')
    expect(dump).toContain(user.email)
    for (const secret of ['Unmistakable-Passw0rd', verification, reset]) expect(dump).not.toContain(secret)
  })

  test('does not keep an email once it is delivered', async () => {
    await eventually(async () => {
      const { rows } = await client.execute('select count(*) as n from outbox where sealed is not null')
      return rows[0]?.n === 0 ? true : undefined
    }, 'an outbox without sealed mail')
  })

  test('gets a stronger hash at the next login after the cost was raised', {
    tags: ['QUALITY-11', 'QUALITY-58'],
  }, async () => {
    const weak = await hashPassword(account.password, 10)
    await client.execute({
      sql: 'update users set password_hash = ? where id = ?',
      args: [weak, account.id],
    })
    await Promise.all([1, 2, 3].map(() => signIn(account.email, account.password, portal)))
    const { rows } = await client.execute({
      sql: 'select password_hash as hash from users where id = ?',
      args: [account.id],
    })
    expect(rows[0]?.hash).toMatch(/^scrypt\$32768\$/)
    await signIn(account.email, account.password, portal)
  })

  test('records the activities of an account in order, without passwords or tokens', {
    tags: ['QUALITY-36'],
  }, async () => {
    const { rows } = await client.execute({
      sql: 'select * from activity_log where user_id = ? order by id',
      args: [account.id],
    })
    expect(rows.map(({ activity }) => activity).slice(0, 3)).toEqual([
      'User registered',
      'Email verified',
      'User login',
    ])
    const entries = JSON.stringify(rows)
    expect(entries).toContain(account.email)
    const emailToken = await waitForMailedToken('verify-email', account.email, portal)
    for (const secret of [account.password, account.token, emailToken]) expect(entries).not.toContain(secret)
  })
})

describe('a session', () => {
  test('applies changes to role and status from the next request', {
    tags: ['QUALITY-8', 'SPEC-6.1'],
  }, async () => {
    const { token } = await signIn(account.email, account.password, portal)
    expect((await readProfile(token)).body.user.role).toBe('user')
    await setUser(`role = 'admin'`)
    expect((await readProfile(token)).body.user.role).toBe('admin')
    await setUser(`role = 'user', is_enabled = 0`)
    expect((await readProfile(token)).status).toBe(401)
    const login = await request('POST', '/auth/login', {
      portal,
      body: { email: account.email, password: account.password },
    })
    expect([login.status, login.body.code]).toEqual([403, 'ACCOUNT_DISABLED'])
    await setUser('is_enabled = 1')
  })

  test('rejects tokens signed with the right key but with wrong claims', {
    tags: ['QUALITY-9'],
  }, async () => {
    const { token } = await signIn(account.email, account.password, portal)
    const claims = JSON.parse(atob(token.split('.')[1] ?? ''))
    const sign = (changes: object, secret = SECRET, alg = 'HS256') =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg })
        .sign(new TextEncoder().encode(secret))
    expect((await readProfile(await sign({}))).status).toBe(200)
    expect((await readProfile(await sign({}, OLD_SECRET))).status).toBe(200)
    for (const invalidToken of [
      await sign({ aud: 'elsewhere' }),
      await sign({ aud: undefined }),
      await sign({ exp: claims.iat - 1 }),
      await sign({ exp: undefined }),
      await sign({ sid: crypto.randomUUID() }),
      await sign({ sid: 7 }),
      await sign({ sub: crypto.randomUUID() }),
      await sign({}, SECRET, 'HS384'),
      await sign({}, `${SECRET}x`),
    ]) {
      expect((await readProfile(invalidToken)).status).toBe(401)
    }
    const forged = await readProfile(await sign({ role: 'super_admin' }))
    expect(forged.body.user.role).toBe('user')
  })
})
