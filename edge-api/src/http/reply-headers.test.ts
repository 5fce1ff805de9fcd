import { route } from '@portal/contract/route'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { openTestSetup } from '../../test/payment-setup.ts'
import { type App, serve } from './serve.ts'

test('responses of a deprecated call have the date in a Deprecation header', async () => {
  const setup = await openTestSetup()
  try {
    const app: App = new Hono()
    app.use(async (c, next) => {
      c.set('db', setup.ports.openDatabase())
      await next()
    })
    const guard = {} as Parameters<typeof serve>[2]
    const registerRoute = (path: '/old' | '/new', overrides: { deprecatedOn?: string } = {}) => {
      const reply = z.object({ ok: z.boolean() })
      const served = route({ method: 'GET', path, access: 'public', summary: 'A call.', reply, ...overrides })
      serve(app, setup.ports, guard, served, async () => ({ ok: true }))
    }
    registerRoute('/old', { deprecatedOn: '2026-01-15' })
    registerRoute('/new')
    const old = await app.fetch(new Request('http://localhost/old'))
    expect(old.headers.get('deprecation')).toBe('@1768435200')
    expect(old.headers.get('link')).toContain('rel="deprecation"')
    expect((await app.fetch(new Request('http://localhost/new'))).headers.get('deprecation')).toBeNull()
  } finally {
    await setup.close()
  }
})
