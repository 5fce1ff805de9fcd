import type { Context } from 'hono'
import type { Database } from '../db/database.ts'
import { Fault } from '../fault.ts'
import { afterResponse } from '../http/after-response.ts'
import { readBytes } from '../http/body.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { isHead } from '../http/head.ts'
import type { App } from '../http/serve.ts'
import type { Variables } from '../http/variables.ts'
import { consumeUpTo } from '../limits/limiter.ts'
import { sendSoon } from '../mail/outbox.ts'
import type { Ports } from '../ports.ts'
import { findOpenCallback, insertCallback } from './inbox-store.ts'
import { processCallback } from './process-callback.ts'
import { RETURN_SCRIPT, RETURN_STYLE, renderReturnPage } from './return-page.ts'
import { findPayment } from './store.ts'
import { syncWithGateway } from './sync.ts'

/** Maximum size of a callback, in bytes. */
const MAX_BYTES = 64 * 1024
/** How long the return page waits for the requery before it is sent without the result, in milliseconds. */
const RETURN_WAIT_MS = 3000

/**
 * Adds the routes for gateways: for signed callbacks, and for the page to which the browser returns. Both only start a requery,
 * and decide nothing about money.
 * @param processDueDisputes processes callbacks about disputes
 */
export function addPaymentCallbacks(
  api: App,
  ports: Ports,
  { processDueDisputes }: { processDueDisputes: (ports: Ports, database: Database) => Promise<unknown> },
): void {
  api.post('/payments/webhooks/:provider', async c => {
    c.set('pattern', '/payments/webhooks/{provider}')
    c.header('Cache-Control', 'no-store')
    const provider = c.req.param('provider')
    const gateway = Object.hasOwn(ports.gateways, provider) ? ports.gateways[provider] : undefined
    if (!gateway) throw new Fault('NOT_FOUND')
    const { PAYMENT_WEBHOOK_ADDRESSES: senders, TRUST_PROXY } = ports.environment
    if (senders && provider !== 'sandbox' && !senders.includes(clientAddressOf(c, TRUST_PROXY))) {
      ports.log({ level: 'warn', event: 'webhook_refused', provider, cause: 'address' })
      throw new Fault('UNAUTHENTICATED', { message: 'Callbacks are not accepted from this address.' })
    }
    const raw = await readBytes(c.req.raw, MAX_BYTES)
    const now = ports.clock.now()
    const { verified, eventKey, reference, disputeId } = await gateway.parseWebhook(
      raw,
      c.req.raw.headers,
      now,
    )
    if (!verified) {
      // Responds with an error, so that a sender that already uses a new secret retries. Nothing is stored, because anyone can
      // send guesses.
      ports.log({ level: 'warn', event: 'webhook_refused', provider })
      throw new Fault('UNAUTHENTICATED', {
        message: 'The signature of this callback is missing, wrong or too old.',
      })
    }
    const callback = {
      provider,
      eventKey,
      reference,
      disputeId,
      raw: new TextDecoder().decode(raw),
      receivedAt: now,
    }
    await c.var.db.write(tx => insertCallback(tx, callback))
    afterResponse(ports, 'webhook_sync_failed', async database => {
      const open = await findOpenCallback(database.read, callback)
      if (!open) return
      await processCallback(ports, database, open)
      sendSoon(ports)
    })
    if (disputeId)
      afterResponse(ports, 'webhook_dispute_failed', async database => {
        await processDueDisputes(ports, database)
      })
    return c.json({ received: true })
  })

  api.on(['GET', 'POST'], '/payments/return', async c => {
    c.set('pattern', '/payments/return')
    const reference = c.req.query('request_id') ?? (await readFormField(c.req.raw, 'request_id'))
    const payment = /^[A-Za-z0-9._-]{1,15}$/.test(reference ?? '')
      ? await findPayment(c.var.db.read, { reference: reference ?? '' })
      : undefined
    if (payment && !isHead(c) && (await maySync(c, ports))) await syncOnReturn(ports, payment.transactionId)
    c.header('Cache-Control', 'no-store')
    return c.html(renderReturnPage(payment?.transactionId))
  })

  const files = [
    ['/payments/return.js', 'text/javascript', RETURN_SCRIPT],
    ['/payments/return.css', 'text/css', RETURN_STYLE],
  ] as const
  for (const [path, type, text] of files) {
    api.get(path, c => {
      c.set('pattern', path)
      c.header('Content-Type', `${type}; charset=utf-8`)
      c.header('Cache-Control', 'public, max-age=300')
      return c.body(text)
    })
  }
}

/** Counts a requery by the return page. The page needs no session, so anyone could cause a gateway call with each reload. */
async function maySync(c: Context<{ Variables: Variables }>, ports: Ports): Promise<boolean> {
  const address = clientAddressOf(c, ports.environment.TRUST_PROXY)
  return (await consumeUpTo({ db: c.var.db, ports }, 'payment_returns', address, 1)) > 0
}

/**
 * Requeries the payment before the page is sent, so that the first status check finds the result. If the gateway is slow, the
 * requery continues in the background.
 */
async function syncOnReturn(ports: Ports, transactionId: string): Promise<void> {
  let onFinished: () => void = () => undefined
  const synced = new Promise<void>(resolve => {
    onFinished = resolve
  })
  afterResponse(ports, 'return_sync_failed', async database => {
    try {
      await syncWithGateway(ports, database, { transactionId }, 'return')
    } finally {
      onFinished()
    }
    sendSoon(ports)
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>(resolve => {
    timer = setTimeout(resolve, RETURN_WAIT_MS)
  })
  await Promise.race([synced, timeout])
  clearTimeout(timer)
}

async function readFormField(request: Request, name: string): Promise<string | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    return undefined
  const bytes = await readBytes(request, MAX_BYTES)
  return new URLSearchParams(new TextDecoder().decode(bytes)).get(name) ?? undefined
}
