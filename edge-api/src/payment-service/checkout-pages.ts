/** The hosted pages as HTML. Values are escaped by the tag `html`. */
import { html } from 'hono/html'
import { type CardErrors, codeMessage, groupDigits, maxOtpTries, testCards } from './cards.ts'
import type { Transaction } from './schema.ts'

/** Data that all pages of one checkout share; `base` is the path of this browser's checkout. */
export type PageFrame = { base: string; now: Date }

type Html = ReturnType<typeof html>
type Part = Html | string

const lockIcon = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><rect x="4" y="11" width="16" height="10" rx="2"/><path d="M8 11V7a4 4 0 0 1 8 0v4"/></svg>`
const tickIcon = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg>`
const crossIcon = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m7 7 10 10M17 7 7 17"/></svg>`
const clockIcon = html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/></svg>`

function formatAmountDue(row: Transaction): string {
  const style = { style: 'currency', currency: row.currency } as const
  return new Intl.NumberFormat('en-NG', style).format(row.amountDue / 100)
}

/** Formats a time of day in West Africa Time. */
function formatTimeOfDay(ms: number): string {
  const format = { hour: 'numeric', minute: '2-digit', timeZone: 'Africa/Lagos' } as const
  return `${new Intl.DateTimeFormat('en-US', format).format(ms)} WAT`
}

function renderPage(title: string, body: Part): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/checkout/style.css">
</head>
<body>
${body}
</body>
</html>`
}

function renderBrand(): Html {
  return html`<p class="brand">${lockIcon}<span>Sandbox Pay</span><span class="mode">Test mode</span></p>`
}

/** Returns a page with the order on one side and the form on the other. */
function renderOrderPage(frame: PageFrame, row: Transaction, title: string, main: Part): Html {
  const isOpen = row.status === 'PENDING' || row.code === '09'
  const minutesLeft = Math.max(1, Math.ceil((row.expiresAt - frame.now.getTime()) / 60_000))
  const deadlineNote = html`<p class="until">Pay before <time datetime="${new Date(row.expiresAt).toISOString()}">${formatTimeOfDay(row.expiresAt)}</time>, ${minutesLeft} ${minutesLeft === 1 ? 'minute' : 'minutes'} left</p>`
  return renderPage(
    title,
    html`<div class="sheet">
<header class="order">
${renderBrand()}
<p class="purpose">${row.payee ? html`Pay to <bdi>${row.payee}</bdi>` : 'Payment'}</p>
<p class="amount">${formatAmountDue(row)}</p>
<dl>
<div><dt>For</dt><dd>${row.purpose || row.regnum}</dd></div>
<div><dt>Payer</dt><dd><bdi>${row.fname} ${row.sname}</bdi></dd></div>
<div><dt>Reference</dt><dd class="mono">${row.requestId}</dd></div>
</dl>
${isOpen ? deadlineNote : ''}
<p class="note">This is a test gateway. No real money moves here.</p>
</header>
<main>${main}</main>
</div>`,
  )
}

function renderCancelForm(frame: PageFrame): Html {
  return html`<form method="post" action="${frame.base}/cancel" class="cancel"><button type="submit" class="quiet">Cancel payment</button></form>`
}

function renderError(id: string, message: string | undefined): Part {
  return message ? html`<p class="error" id="${id}">${message}</p>` : ''
}

function describedBy(...ids: (string | undefined)[]): Part {
  const list = ids.filter(id => id !== undefined)
  return list.length > 0 ? html` aria-describedby="${list.join(' ')}"` : ''
}

/** Returns the card form. It keeps the input, except the security code and any number that is not a test card's. */
export function renderCardPage(
  frame: PageFrame,
  row: Transaction,
  input: { number: string; expiry: string; errors: CardErrors },
): Html {
  const { errors } = input
  const invalidName = errors.number ? 'number' : errors.expiry ? 'expiry' : errors.cvv ? 'cvv' : undefined
  const focused = invalidName ?? (input.number ? 'cvv' : 'number')
  const autofocusIf = (name: string): Part => (name === focused ? html` autofocus` : '')
  const invalid = (name: keyof CardErrors): Part => (errors[name] ? html` aria-invalid="true"` : '')
  const errorId = (name: keyof CardErrors) => (errors[name] ? `${name}-error` : undefined)
  return renderOrderPage(
    frame,
    row,
    invalidName ? 'Check the card details - Sandbox Pay' : 'Pay by card - Sandbox Pay',
    html`<h1>Pay by card</h1>
${invalidName ? html`<p class="alert" role="alert">The payment was not made. Check the marked fields.</p>` : ''}
<form method="post" action="${frame.base}/card" novalidate>
<div class="field">
<label for="number">Card number</label>
<input id="number" name="number" class="mono" inputmode="numeric" autocomplete="cc-number" maxlength="30" value="${groupDigits(input.number)}"${invalid('number')}${describedBy(errorId('number'))}${autofocusIf('number')}>
${renderError('number-error', errors.number)}
</div>
<div class="pair">
<div class="field">
<label for="expiry">Expiry date</label>
<input id="expiry" name="expiry" class="mono" inputmode="numeric" autocomplete="cc-exp" maxlength="9" value="${input.expiry}"${invalid('expiry')}${describedBy('expiry-help', errorId('expiry'))}${autofocusIf('expiry')}>
<p class="help" id="expiry-help">MM/YY</p>
${renderError('expiry-error', errors.expiry)}
</div>
<div class="field">
<label for="cvv">Security code (CVV)</label>
<input id="cvv" name="cvv" class="mono" inputmode="numeric" autocomplete="cc-csc" maxlength="4"${invalid('cvv')}${describedBy('cvv-help', errorId('cvv'))}${autofocusIf('cvv')}>
<p class="help" id="cvv-help">3 or 4 digits</p>
${renderError('cvv-error', errors.cvv)}
</div>
</div>
<button type="submit">Pay ${formatAmountDue(row)}</button>
</form>
${renderCancelForm(frame)}
<details${errors.number ? html` open` : ''}>
<summary>Test cards</summary>
<p>Any future expiry date and any security code. The one-time password is <span class="mono">123456</span>.</p>
<ul class="cards">
${testCards.map(card => html`<li><span class="mono">${groupDigits(card.number)}</span><span class="does">${card.effect}</span><a href="${frame.base}?fill=${card.number.slice(-4)}">Fill in<span class="hidden"> the card ending ${card.number.slice(-4)}</span></a></li>\n`)}
</ul>
</details>`,
  )
}

export function renderOtpPage(frame: PageFrame, row: Transaction, error?: string): Html {
  const triesLeft = maxOtpTries - row.otpTries
  const tries = `${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left`
  return renderOrderPage(
    frame,
    row,
    error ? 'Check the password - Sandbox Pay' : 'One-time password - Sandbox Pay',
    html`<h1>One-time password</h1>
<p>Your bank asks for the password it sent you, to confirm the card ending <span class="mono">${row.cardLast4}</span>.</p>
<form method="post" action="${frame.base}/otp" novalidate>
<div class="field">
<label for="otp">One-time password (OTP)</label>
<input id="otp" name="otp" class="mono otp" inputmode="numeric" autocomplete="one-time-code" maxlength="6" autofocus${error ? html` aria-invalid="true"` : ''}${describedBy('otp-help', error ? 'otp-error' : undefined)}>
<p class="help" id="otp-help">6 digits; ${tries}. In this test gateway it is 123456.</p>
${renderError('otp-error', error)}
</div>
<button type="submit">Confirm payment</button>
</form>
${renderCancelForm(frame)}`,
  )
}

type Result = { tone: 'good' | 'bad' | 'wait'; title: string; text: string; icon: Html }

const CARD_DECLINED = 'Card was declined. Please try a different card or contact your bank.'

/** The portal's texts for these codes, so that the payer does not get different advice in the two windows. */
const advice: Partial<Record<string, string>> = {
  '05': CARD_DECLINED,
  '14': 'Invalid card details. Please check and try again.',
  '51': 'Insufficient funds. Please check your account balance.',
  '54': CARD_DECLINED,
  '91': 'Payment failed. Please try again or use a different payment method.',
  Z5: 'Payment timed out. Please try again.',
  Z6: 'Payment was cancelled. You can try again when ready.',
}

const withAdvice = (code: string) => `${advice[code] ?? codeMessage(code)} You have not been charged.`

function toCheckoutResult(row: Transaction): Result {
  const reason = codeMessage(row.code)
  switch (row.status) {
    case 'APPROVED': {
      const text = 'You will be redirected in a few seconds.'
      return { tone: 'good', title: 'Payment successful', text, icon: tickIcon }
    }
    case 'CANCELLED':
      return { tone: 'bad', title: 'Payment cancelled', text: withAdvice(row.code), icon: crossIcon }
    case 'EXPIRED':
      return { tone: 'bad', title: 'Payment expired', text: withAdvice(row.code), icon: clockIcon }
    case 'FAILED':
      return { tone: 'bad', title: 'Payment failed', text: withAdvice(row.code), icon: crossIcon }
    default: {
      const text = `${reason}. Do not pay again: go back, and the result will follow.`
      return { tone: 'wait', title: 'Payment in progress', text, icon: clockIcon }
    }
  }
}

/**
 * Returns a page with the outcome, or the notice that the bank is still processing the payment, and if possible a button to
 * return to the portal.
 */
export function renderResultPage(frame: PageFrame, row: Transaction, canReturn: boolean): Html {
  const result = toCheckoutResult(row)
  const card = row.cardLast4
    ? html`<p class="card-used">Card ending <span class="mono">${row.cardLast4}</span></p>`
    : ''
  return renderOrderPage(
    frame,
    row,
    `${result.title} - Sandbox Pay`,
    html`<div class="result ${result.tone}">
<span class="badge">${result.icon}</span>
<h1>${result.title}</h1>
<p>${result.text}</p>
${card}
${canReturn && result.tone === 'bad' ? html`<p>To pay again, return to the portal.</p>` : ''}
${canReturn ? html`<form method="post" action="${frame.base}/return"><button type="submit" autofocus>Return to the portal</button></form>` : html`<p>You can close this window.</p>`}
</div>`,
  )
}

/** Returns the page shown instead of one that cannot be shown. It has no links, because nothing is known about the visitor. */
export function renderErrorPage(message: string): Html {
  return renderPage(
    'Payment page - Sandbox Pay',
    html`<div class="sheet single"><main>
${renderBrand()}
<h1>This page cannot be shown</h1>
<p>${message}.</p>
<p>Close this window and go back to where you started, to see whether the payment was made or to start again.</p>
</main></div>`,
  )
}
