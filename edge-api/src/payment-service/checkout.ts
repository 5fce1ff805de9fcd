/**
 * The hosted card page: plain forms, without scripts. Only the stored record decides what is possible, not the page that the
 * browser shows.
 */
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { isAllowedReturnUrl } from './callback.ts'
import { checkCard, codeMessage, testCards } from './cards.ts'
import { checkoutCss } from './checkout-css.ts'
import {
  type PageFrame,
  renderCardPage,
  renderErrorPage,
  renderOtpPage,
  renderResultPage,
} from './checkout-pages.ts'
import { Fault, requireContentType, toFault } from './http.ts'
import {
  cancelTransaction,
  expireIfDue,
  isOpen,
  isWaitingForOtp,
  submitCard,
  submitOtp,
} from './lifecycle.ts'
import { toFormFields } from './presenting.ts'
import { findBySession, findTransaction, insertSession } from './records.ts'
import type { Transaction } from './schema.ts'
import type { Service } from './service.ts'
import { isFormHash, sha256 } from './signing.ts'

const field = z.string().max(200).catch('')
const entryForm = z.object({
  transaction_id: field,
  request_id: field,
  payment_code: field,
  amount: field,
  currency: field,
  hash: field,
})
const cardForm = z.object({ number: field, expiry: field, cvv: field })
const otpForm = z.object({ otp: field })

export function createCheckoutRoutes(service: Service) {
  const { db } = service
  const urlencoded = requireContentType('application/x-www-form-urlencoded')

  /** Finds the transaction that this browser may access, and expires it if its time is up. */
  async function openCheckout(c: Context): Promise<{ row: Transaction; frame: PageFrame }> {
    const row = await findBySession(db, await sha256(c.req.param('session') ?? ''))
    if (!row) throw new Fault(404, 'NOT_FOUND', 'This payment page does not exist')
    return { row: await expireIfDue(service, row), frame: { base: basePath(c), now: service.now() } }
  }

  function basePath(c: Context): string {
    return `/checkout/${encodeURIComponent(c.req.param('session') ?? '')}`
  }

  return new Hono()
    .onError((cause, c) => {
      const fault = toFault(cause)
      if (fault.status === 500) service.log({ level: 'error', event: 'checkout', message: cause.name })
      return c.html(renderErrorPage(fault.message), fault.status)
    })
    .use('/*', async (c, next) => {
      setPageHeaders(c)
      await next()
    })
    .get('/style.css', c => {
      c.header('Cache-Control', 'public, max-age=300')
      return c.body(checkoutCss, 200, { 'Content-Type': 'text/css; charset=utf-8' })
    })
    .post('/entry', urlencoded, async c => {
      const row = await findOrder(service, entryForm.parse(await c.req.parseBody()))
      const token = newSessionToken()
      await insertSession(db, await sha256(token), row.transactionId, service.now().getTime())
      return c.redirect(`/checkout/${token}`, 303)
    })
    .get('/:session', async c => {
      const { row, frame } = await openCheckout(c)
      return renderCurrentPage(service, c, row, frame, c.req.query('fill'))
    })
    .post('/:session/card', urlencoded, async c => {
      const { row, frame } = await openCheckout(c)
      if (row.status !== 'PENDING') return c.redirect(frame.base, 303)
      const input = cardForm.parse(await c.req.parseBody())
      const check = checkCard(input, frame.now)
      if (check.ok) {
        await submitCard(service, row, check)
        return c.redirect(frame.base, 303)
      }
      allowReturn(service, c, row)
      const number = check.keepNumber ? input.number : ''
      return c.html(renderCardPage(frame, row, { number, expiry: input.expiry, errors: check.errors }), 422)
    })
    .post('/:session/otp', urlencoded, async c => {
      const { row, frame } = await openCheckout(c)
      if (!isWaitingForOtp(row)) return c.redirect(frame.base, 303)
      const otp = otpForm.parse(await c.req.parseBody()).otp.replace(/\s/g, '')
      if (!/^\d{6}$/.test(otp)) {
        allowReturn(service, c, row)
        return c.html(renderOtpPage(frame, row, 'Enter the 6 digits of the password'), 422)
      }
      const updated = await submitOtp(service, row, otp)
      if (!isWaitingForOtp(updated)) return c.redirect(frame.base, 303)
      allowReturn(service, c, row)
      return c.html(renderOtpPage(frame, updated, 'That password is not correct'), 422)
    })
    .post('/:session/cancel', urlencoded, async c => {
      const { row, frame } = await openCheckout(c)
      const updated = await cancelTransaction(service, row)
      // Returns to the merchant immediately only after a cancellation. If the payment had already ended otherwise, the outcome
      // is shown first.
      return c.redirect(
        updated.status === 'CANCELLED' ? returnUrlOf(service, updated, frame) : frame.base,
        303,
      )
    })
    .on(['GET', 'POST'], '/:session/return', async c => {
      const { row, frame } = await openCheckout(c)
      return c.redirect(isOpen(row) ? frame.base : returnUrlOf(service, row, frame), 303)
    })
    .all('/*', () => {
      throw new Fault(404, 'NOT_FOUND', 'This payment page does not exist')
    })
}

/** Finds the transaction described by a signed form. */
async function findOrder({ db, config }: Service, { hash, ...fields }: z.infer<typeof entryForm>) {
  const row = await findTransaction(db, fields.transaction_id)
  const isGenuine = await isFormHash(config.webhookSecret, fields, hash)
  const expected = row && toFormFields(row)
  const matches =
    expected !== undefined &&
    row?.kind !== 'invoice' &&
    expected.request_id === fields.request_id &&
    expected.amount === fields.amount &&
    expected.currency === fields.currency
  if (!isGenuine || !matches || !row)
    throw new Fault(400, 'INVALID_HASH', 'This payment could not be opened: its details do not match')
  return row
}

/**
 * Returns the address to which the browser goes next: the merchant's, with the outcome as parameters (which prove nothing), or,
 * if the order has no allowed address, the checkout page, which shows the outcome.
 */
function returnUrlOf(
  { config: { publicUrl } }: Service,
  { callbackUrl, requestId, code }: Transaction,
  { base }: PageFrame,
): string {
  if (!isAllowedReturnUrl(callbackUrl, publicUrl)) return base
  const url = new URL(callbackUrl)
  url.searchParams.append('request_id', requestId)
  url.searchParams.append('status-code', code)
  url.searchParams.append('status-msg', codeMessage(code))
  return url.href
}

/** Allows redirects to the merchant after a form was sent, because the policy's `form-action` also applies to redirects. */
function allowReturn({ config: { publicUrl } }: Service, c: Context, { callbackUrl }: Transaction) {
  if (!isAllowedReturnUrl(callbackUrl, publicUrl)) return
  // A policy cannot contain an IPv6 address, so browsers would block the form; any host at that port is allowed instead.
  setContentPolicy(c, `'self' ${new URL(callbackUrl).origin.replace(/\[.+\]/, '*')}`)
}

/** Shows the page for the transaction's state; `fill` is the last four digits of a test card to be filled in. */
function renderCurrentPage(service: Service, c: Context, row: Transaction, frame: PageFrame, fill?: string) {
  allowReturn(service, c, row)
  if (row.status === 'PENDING') {
    const number = testCards.find(card => card.number.slice(-4) === fill)?.number ?? ''
    const expiry = number && `12/${String(frame.now.getUTCFullYear() + 3).slice(-2)}`
    return c.html(renderCardPage(frame, row, { number, expiry, errors: {} }))
  }
  if (isWaitingForOtp(row)) return c.html(renderOtpPage(frame, row))
  const canReturn = isAllowedReturnUrl(row.callbackUrl, service.config.publicUrl)
  // Redirects without a script; the button does the same immediately. Only a success redirects automatically.
  if (row.status === 'APPROVED' && canReturn) c.header('Refresh', `5; url=${frame.base}/return`)
  return c.html(renderResultPage(frame, row, canReturn))
}

function newSessionToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function setPageHeaders(c: Context) {
  setContentPolicy(c, "'self'")
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cache-Control', 'no-store')
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('X-Robots-Tag', 'noindex')
  // The merchant's page opened this popup, and must be able to notice when it closes.
  c.header('Cross-Origin-Opener-Policy', 'unsafe-none')
}

function setContentPolicy(c: Context, formAction: string) {
  const rules = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  c.header('Content-Security-Policy', rules.join('; '))
}
