import process from 'node:process'
import { type Context, Hono } from 'hono'
import { jwtVerify } from 'jose'
import Database from 'libsql'
import * as z from 'zod'
import { claimsOf } from '../src/auth/tokens.ts'

/*
 * What the runtime, the framework and the database give by themselves, for the table's ratios: a constant answer, and
 * one cached statement behind JWT and zod, and nothing else. The token is verified on each call, as it is with nothing
 * around it; or by the product's own check, which verifies a token once.
 */

const { DATABASE_FILE = '', JWT_SECRET = '', PORT = '0' } = process.env

/** The name of Deno in use; on Node it is not there. */
declare const Deno: {
  serve(options: object, handler: (request: Request) => Response | Promise<Response>): unknown
}

const params = z.object({ id: z.string().regex(/^[0-9A-Z]{24}$/) })
const reply = z.object({
  transaction_id: z.string(),
  payment_reference: z.string(),
  status: z.string(),
  amount_paid: z.number().nullable(),
  currency: z.string(),
})
const key = await crypto.subtle.importKey(
  'raw',
  new TextEncoder().encode(JWT_SECRET),
  { name: 'HMAC', hash: 'SHA-256' },
  false,
  ['verify'],
)
const database = new Database(DATABASE_FILE, { timeout: 5000 })
const statement = database.prepare(
  `select transaction_id, provider_reference as payment_reference, status, amount_paid_minor as amount_paid, currency
   from payments where transaction_id = ?`,
)

const app = new Hono()
app.get('/hello', c => c.json({ status: 'ok', time: new Date().toISOString() }))
const tokenOf = (c: Context) => (c.req.header('authorization') ?? '').slice('Bearer '.length)
const answer = (c: Context) => c.json(reply.parse(statement.get(params.parse(c.req.param()).id)))

app.get('/statement/:id', async c => {
  await jwtVerify(tokenOf(c), key, {
    algorithms: ['HS256'],
    audience: 'portal',
    requiredClaims: ['sub', 'sid', 'exp'],
  })
  return answer(c)
})
const secrets = [JWT_SECRET]
app.get('/statement-behind-kept-token/:id', async c => {
  if (!(await claimsOf(tokenOf(c), secrets, Date.now()))) throw new Error('not signed in')
  return answer(c)
})

if (typeof Deno === 'undefined') {
  const { serve } = await import('@hono/node-server')
  serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) })
} else {
  Deno.serve({ hostname: '127.0.0.1', port: Number(PORT), onListen: () => undefined }, app.fetch)
}
