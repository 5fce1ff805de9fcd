import { routes } from '@portal/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSetup, type TestSetup } from '../../test/payment-setup.ts'
import { createApp } from '../app.ts'

let setup: TestSetup
let send: (path: string, init?: RequestInit) => Promise<Response>

beforeAll(async () => {
  setup = await openTestSetup()
  const app = createApp(setup.ports)
  send = async (path, init) => await app.request(path, init)
})
afterAll(() => setup?.close())

const openPaths = [
  ['/.well-known/jwks.json', 200],
  ['/.well-known/did.json', 200],
  ['/.well-known/letter-ca.pem', 200],
  ['/api/status-lists/0', 200],
  ['/api/status-lists/99', 404],
  ['/api/vocabulary', 200],
  ['/api/letters/ZZZZZZZZZZZZ.jwt', 404],
  ['/api/letters/ZZZZZZZZZZZZ.ob3', 404],
] as const

test.each(openPaths)(
  'scripts from any origin can read %s (%i), even if the browser sends a preflight',
  async (path, status) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(path, { method, headers: { Origin: 'https://registrar.test' } })
      expect(response.status).toBe(status)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
    const preflight = await send(path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://registrar.test', 'Access-Control-Request-Method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  },
)

test('no other route of the contract can be read from another origin', async () => {
  const paths = Object.values(routes)
    .flatMap(domain => Object.values(domain))
    .map(({ path }) => path)
    .filter(path => !/\.(?:jwt|ob3)$/.test(path))
  for (const path of [
    ...paths.map(path => `/api${path}`),
    '/api/letters/ZZZZZZZZZZZZ',
    '/api/letters/a.jwt/b',
    '/',
  ])
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await send(path, { method, headers: { Origin: 'https://registrar.test' } })
      expect(headers.get('access-control-allow-origin'), `${method} ${path}`).toBeNull()
      expect(headers.get('cross-origin-resource-policy'), `${method} ${path}`).toBe('same-origin')
    }
})
