import process from 'node:process'
import { v1Verifications } from '@portal/contract/v1'
import { statusReply } from '@portal/contract/verification'
import { type Context, Hono } from 'hono'
import { jwtVerify } from 'jose'
import Database from 'libsql'
import * as z from 'zod'
import { claimsOf } from '../src/accounts/tokens.ts'

/*
 * Serves the baselines of the benchmark table: the runtime, the framework and the database without the product. It serves a
 * constant response, and the result of one cached statement behind JWT verification and zod: either five fields of a payment,
 * or the product's whole response, stored as text. Tokens are verified on each call, or by the product's own function, which
 * caches verified tokens.
 */

const { DATABASE_FILE = '', JWT_SECRET = '', PORT = '0', NODE_SERVER } = process.env

/** Declares the global `Deno`, which does not exist on Node. */
declare const Deno: {
  serve(options: object, handler: (request: Request) => Response | Promise<Response>): unknown
}

const transactionParams = z.object({ id: z.string().regex(/^[0-9A-Z]{24}$/) })
const verificationParams = z.object({ id: z.string().max(64) })
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

// Responses are stored in a separate file, so that the product's database is not changed.
const responses = new Database(`${DATABASE_FILE}.responses`, { timeout: 5000 })
responses.exec('create table if not exists responses (id text primary key, body text not null) without rowid')
const selectResponse = responses.prepare('select body from responses where id = ?')

const app = new Hono()
app.get('/hello', c => c.json({ status: 'ok', time: new Date().toISOString() }))
const tokenOf = (c: Context) => (c.req.header('authorization') ?? '').slice('Bearer '.length)
const respond = (c: Context) => c.json(reply.parse(statement.get(transactionParams.parse(c.req.param()).id)))

const verify = (c: Context) =>
  jwtVerify(tokenOf(c), key, {
    algorithms: ['HS256'],
    audience: 'portal',
    requiredClaims: ['sub', 'sid', 'exp'],
  })

app.get('/statement/:id', async c => {
  await verify(c)
  return respond(c)
})
/**
 * Adds a PUT route that stores a response, and a GET route that serves it as the portal does, parsed by the contract's schemas.
 */
function serveStoredResponses(path: string, input: typeof transactionParams, output: z.ZodType): void {
  app.put(`${path}/:id`, async c => {
    responses
      .prepare('insert or replace into responses values (?, ?)')
      .run(c.req.param('id'), await c.req.text())
    return c.json({ stored: true })
  })
  app.get(`${path}/:id`, async c => {
    await verify(c)
    const row = selectResponse.get(input.parse(c.req.param()).id) as { body: string }
    return c.json(output.parse(JSON.parse(row.body)))
  })
}
serveStoredResponses('/whole', transactionParams, statusReply)
serveStoredResponses('/whole-verification', verificationParams, v1Verifications.read.reply)
const secrets = [JWT_SECRET]
app.get('/statement-behind-cached-token/:id', async c => {
  if (!(await claimsOf(tokenOf(c), secrets, Date.now()))) throw new Error('not signed in')
  return respond(c)
})

// On Deno, `NODE_SERVER` selects the HTTP server of the product, which does not use `Deno.serve`, because that has no time
// limits (decision 078).
if (typeof Deno === 'undefined' || NODE_SERVER) {
  const { serve } = await import('@hono/node-server')
  serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) })
} else {
  Deno.serve({ hostname: '127.0.0.1', port: Number(PORT), onListen: () => undefined }, app.fetch)
}
