import { request as httpRequest } from 'node:http'
import { errorCatalogue } from '@portal/contract/errors'
import { routes } from '@portal/contract/routes'
import { makeUser } from '@portal/fixtures/factories'
import { describe, expect, test } from 'vitest'
import { newAccount, request, sharedPortal, staffToken } from '../../test/portal.ts'

const login = (body: unknown, headers: Record<string, string> = {}) =>
  request('POST', '/auth/login', { body, headers })

describe('every response', () => {
  test('has a request ID, which the body of an error repeats', async () => {
    const ok = await request('GET', '/health')
    expect(ok.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    const error = await request('GET', '/no-such-call')
    expect(error).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(error.body.request_id).toBe(error.headers.get('x-request-id'))
  })

  test('has the security headers of production, without unsafe sources', async () => {
    const { headers } = await request('GET', '/health')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe-(inline|eval)/)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

test('HEAD has the headers of GET, including the length, and no body', async () => {
  const token = await staffToken('admin')
  for (const path of ['/verification/settings', '/openapi.json', '/auth/profile', '/no-such-call']) {
    const [getReply, headReply] = [
      await request('GET', path, { token }),
      await request('HEAD', path, { token }),
    ]
    expect([headReply.status, headReply.body]).toEqual([getReply.status, ''])
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect(`${path} ${name} ${headReply.headers.get(name)}`).toBe(
        `${path} ${name} ${getReply.headers.get(name)}`,
      )
  }
  const file = await request('HEAD', '/admin/activity-logs', { token, headers: { accept: 'text/csv' } })
  // The length of a stream is unknown, and 0 would be wrong.
  expect([file.headers.get('content-type'), file.headers.get('content-length')]).toEqual([
    'text/csv; charset=utf-8',
    null,
  ])
})

describe('invalid input gets a catalogued error', () => {
  const credentials = { email: 'nobody@demo.test', password: 'Wrong1234' }
  test('malformed JSON', { tags: ['QUALITY-42'] }, async () => {
    const fields = { body: 'The request body is not valid JSON.' }
    expect(await login('{"email":')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', fields },
    })
  })
  test('invalid UTF-8', { tags: ['QUALITY-42'] }, async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"email":"'), 0xff, 0xfe, 0x22, 0x7d])
    expect(await login(bytes)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
  test('a content type other than JSON', { tags: ['QUALITY-42'] }, async () => {
    const response = await login(JSON.stringify(credentials), { 'content-type': 'text/plain' })
    expect(response).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
  })
  test('an empty body', async () => {
    const response = await request('POST', '/auth/login', { headers: { 'content-type': 'application/json' } })
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
  test('a body of 10 MB', { tags: ['QUALITY-42'] }, async () => {
    const response = await login({ ...credentials, password: 'x'.repeat(10_000_000) })
    expect(response).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })
  test('__proto__, arrays and null instead of an object', { tags: ['QUALITY-42'] }, async () => {
    for (const body of ['{"__proto__":{"email":"a@b.cd"}}', '[]', 'null', '"text"', '7']) {
      const fields = expect.any(Object)
      expect(await login(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', fields } })
    }
  })
  test('NUL in search text is the exception: it is ignored', { tags: ['QUALITY-43'] }, async () => {
    const token = await staffToken('super_admin')
    const search = async (path: string, text: string) => {
      const { status, body } = await request('GET', `${path}=${text}`, { token })
      return { status, total: body.pagination?.total, users: body.users?.length }
    }
    for (const path of ['/admin/users?search', '/admin/certificates?search', '/admin/search?q']) {
      const expected = await search(path, 'demo')
      expect(expected.status).toBe(200)
      expect(await search(path, 'de%00mo%00')).toEqual(expected)
    }
    expect((await search('/admin/activity-logs?search', 'de%00mo')).status).toBe(200)
    expect((await search('/admin/users?search', '%00')).status).toBe(200)
  })
  test('NUL in submitted text is reported for its field, because databases drop the text after it', {
    tags: ['QUALITY-43'],
  }, async () => {
    const account = await newAccount()
    const { email: _, password: __, ...profileFields } = makeUser({ address: 'Acme\0 Ltd, Lagos' })
    const { token } = account
    const profile = await request('PUT', '/auth/profile', { token, body: profileFields })
    expect(profile).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(Object.keys(profile.body.fields ?? {})).toEqual(['address'])
    const registration = makeUser({ email: account.email.replace('.', '\0.other.') })
    expect((await request('POST', '/auth/register', { body: registration })).status).toBe(400)
    const nested = await request('POST', '/auth/login', { body: { a: [{ b: 'c' }, { b: '\0' }] } })
    expect(nested.body.fields).toHaveProperty(['a.1.b'])
    // The six characters of its escape sequence, typed as text, are not a NUL.
    const typed = makeUser({ address: 'Acme \\u0000 Ltd, Lagos' })
    expect((await request('POST', '/auth/register', { body: typed })).status).toBe(201)
  })
  test('a method that the route does not support', { tags: ['QUALITY-42'] }, async () => {
    const response = await request('DELETE', '/auth/login')
    expect(response).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
    expect(response.headers.get('allow')).toBe('POST')
    const health = await request('DELETE', '/health')
    expect(health.headers.get('allow')).toBe('GET, HEAD')
    const page = await fetch(`${sharedPortal().url}/terms`, { method: 'DELETE' })
    expect(page.status).toBe(404)
    expect(await page.json()).toMatchObject({ code: 'NOT_FOUND', request_id: expect.any(String) })
  })
  test('TRACE, which would echo the request headers', async () => {
    const { url } = sharedPortal()
    const outcome = await new Promise(resolve => {
      const outgoing = httpRequest(`${url}/api/health`, { method: 'TRACE', headers: { 'x-secret': 'told' } })
      outgoing.on('response', response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', part => {
          text += part
        })
        response.on('end', () =>
          resolve({ refused: (response.statusCode ?? 0) >= 400, echoed: text.includes('told') }),
        )
      })
      // A runtime may also close the connection without a response.
      outgoing.on('error', () => resolve({ refused: true, echoed: false }))
      outgoing.end()
    })
    expect(outcome).toEqual({ refused: true, echoed: false })
  })
  test('a query parameter that is given twice', async () => {
    const token = await staffToken('admin')
    for (const path of ['/admin/users?status=enabled&status=disabled', '/admin/users?page=1&page=2'])
      expect(await request('GET', path, { token })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      })
  })
  test('a missing token or a wrong password, in a 401 response that names the Bearer scheme', {
    tags: ['QUALITY-42'],
  }, async () => {
    const anonymous = await request('GET', '/auth/profile')
    for (const response of [anonymous, await login(JSON.stringify(credentials))]) {
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
  test('an invalid token on a public route is the exception: it is ignored', async () => {
    expect((await request('GET', '/verification/settings', { token: 'a.b.c' })).status).toBe(200)
  })
})

describe('the API description', () => {
  test('contains every route of the contract and every code of the catalogue', async () => {
    const { status, body } = await request('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(body.openapi).toBe('3.1.0')
    const allRoutes = Object.values(routes).flatMap(domain => Object.values(domain))
    for (const route of allRoutes) {
      expect(body.paths[route.path][route.method.toLowerCase()].description).toContain(
        `Access: ${route.access}.`,
      )
    }
    expect(body.components.schemas.Error.properties.code.enum).toEqual(Object.keys(errorCatalogue))
  })
  test('has a page for human readers', async () => {
    const { status, body } = await request('GET', '/docs')
    expect(status).toBe(200)
    expect(body).toContain('POST /api/auth/login')
    expect(body).toContain('href="/api/openapi.json"')
    const docFiles = [...String(body).matchAll(/(?:src|href)="\/api(\/docs\/[^"]+)"/g)].map(
      found => found[1] ?? '',
    )
    for (const file of docFiles) expect((await request('GET', file)).status, file).toBe(200)
    expect((await request('GET', '/docs/js/none.0123456789.js')).status).toBe(404)
    expect((await request('GET', '/docs/js/..%2f..%2fshell.json')).status).toBe(404)
  })
})

describe('health', () => {
  test('is reported for each component', async () => {
    const { body } = await request('GET', '/health/ready')
    expect(body.status).toBe('ok')
    const { backup, ...measured } = body.parts
    for (const part of Object.values<{ status: string; latency_ms: number }>(measured)) {
      expect(part.status).toBe('healthy')
      expect(part.latency_ms).toBeGreaterThanOrEqual(0)
    }
    // The age of the newest backup is reported; if there is no backup, nothing is.
    expect(backup).toEqual({
      status: backup.at === null ? 'unknown' : 'healthy',
      latency_ms: null,
      at: backup.at === null ? null : expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
  })
})

describe('authentication', () => {
  test('is required on every route that is not public', async () => {
    const allRoutes = Object.values(routes).flatMap(domain => Object.values(domain))
    for (const { method, path, access } of allRoutes) {
      const response = await request(method, path.replace(/\{\w+\}/g, 'x'), {
        ...(method !== 'GET' && { body: {} }),
      })
      if (access === 'public') expect(response.status, `${method} ${path}`).not.toBe(401)
      else
        expect(response, `${method} ${path}`).toMatchObject({
          status: 401,
          body: { code: 'UNAUTHENTICATED' },
        })
    }
  })
  test('rejects a token without a valid signature', { tags: ['QUALITY-9'] }, async () => {
    const token = await staffToken('admin')
    const [, payload = ''] = token.split('.')
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
    for (const forged of [unsigned, `${token.slice(0, -4)}AAAA`, 'x']) {
      expect(await request('GET', '/auth/profile', { token: forged })).toMatchObject({ status: 401 })
    }
  })
})

// A worker's files come from a binding that the test server does not have.
describe.skipIf(sharedPortal().folder === '')('pages', () => {
  const page = (path: string, headers = {}) =>
    fetch(sharedPortal().url + path, { headers, redirect: 'manual' })

  test('exist for every path that the shell’s router may know, but never for a missing file', async () => {
    for (const path of ['/', '/track-payment', '/dashboard/history', '/nothing/here']) {
      const response = await page(path)
      expect(response.status, path).toBe(200)
      expect(await response.text()).toContain('<div id="root"')
    }
    expect((await page('/js/missing.js')).status).toBe(404)
    expect((await page('/r/mfe-user/../../../package.json')).status).toBe(404)
    expect((await page('/r/%2e%2e/%2e%2e/package.json')).status).toBe(404)
  })

  test('are not cached and send no referrer if their address contains a secret', {
    tags: ['QUALITY-35'],
  }, async () => {
    for (const path of ['/verify-email/abc', '/reset-password/abc', '/letters/ABC']) {
      const { headers } = await page(path)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
    }
  })

  test('load immutable released files, and a pointer that is revalidated each time', async () => {
    const pointer = await page('/config/remotes.json')
    expect(pointer.headers.get('cache-control')).toBe('no-cache')
    const { remotes } = (await pointer.json()) as { remotes: { manifest: string }[] }
    const manifest = await page(remotes[0]?.manifest ?? '', { 'accept-encoding': 'br' })
    expect(manifest.headers.get('cache-control')).toContain('immutable')
    const secondReply = await page('/config/remotes.json', {
      'if-none-match': pointer.headers.get('etag') ?? '',
    })
    expect(secondReply.status).toBe(304)
  })
})
