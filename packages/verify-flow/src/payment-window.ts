import { isRecord } from '@portal/contract/is-record'
import type { PaymentTarget } from './open-payment.ts'

const WINDOW_NAME = 'portal-payment'
/**
 * Channel on which the return page reports the payment, in case the checkout's opener policy has cut its connection to this
 * page.
 */
const CHANNEL = 'portal-payment'
/** Key in session storage of the return note, which states where the return page goes after a payment in the same tab. */
const RETURN_NOTE_KEY = 'portal.payment-return'
const WINDOW_FEATURES = 'popup,width=800,height=600'
/** Interval in milliseconds at which to check whether the window was closed, because browsers fire no event for it. */
const CLOSED_CHECK_MS = 1000

/** The payment window, from the click that opens it. */
export interface PaymentWindow {
  /** Posts the fields to the gateway in this window or, if there are none, opens the gateway's URL in it. */
  send: (target: PaymentTarget) => void
  isClosed: () => boolean
  /**
   * True once the payer has closed the window. If the checkout's opener policy has cut the connection, a window only looks
   * closed; but then this page does not have the focus.
   */
  isClosedByPayer: () => boolean
  focus: () => void
  close: () => void
}

const hasFields = ({ data }: PaymentTarget) => Object.keys(data).length > 0

function postForm(page: Document, target: PaymentTarget, name = WINDOW_NAME) {
  const form = page.createElement('form')
  form.method = 'post'
  form.action = target.url
  form.target = name
  form.hidden = true
  for (const [name, value] of Object.entries(target.data)) {
    const field = page.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  page.body.append(form)
  form.submit()
  form.remove()
}

/**
 * Shows a placeholder in the window until the gateway's page loads. It sets styles one by one, because the window inherits the
 * content security policy, which forbids inline style sheets.
 */
function showPlaceholder(page: Document, win: Window) {
  page.title = 'Secure payment'
  page.body.textContent = 'Opening the secure payment page…'
  const { backgroundColor, color, colorScheme } = win.getComputedStyle(win.document.body)
  page.documentElement.lang = 'en'
  Object.assign(page.documentElement.style, { backgroundColor, colorScheme })
  Object.assign(page.body.style, {
    display: 'grid',
    placeContent: 'center',
    minHeight: '100vh',
    margin: '0',
    color,
    font: '1.125rem/1.5 system-ui, sans-serif',
    textAlign: 'center',
  })
}

/** Removes the return note from this tab's session storage, because a window opened from this tab would get a copy of it. */
export function removeReturnNote(win: Window): void {
  try {
    win.sessionStorage.removeItem(RETURN_NOTE_KEY)
  } catch {
    // Without storage, there is no note to remove.
  }
}

/** Opens the gateway in this tab. Afterwards, the return page goes to `path`, where the payment is resumed. */
export function continueHere(
  win: Window,
  target: PaymentTarget,
  transactionId: string,
  path = win.location.pathname + win.location.search,
): void {
  try {
    win.sessionStorage.setItem(RETURN_NOTE_KEY, JSON.stringify({ transaction: transactionId, path }))
  } catch {
    // Without the note, the return page shows a link instead.
  }
  if (hasFields(target)) postForm(win.document, target, '_self')
  else win.location.assign(target.url)
}

/**
 * True in the in-app browsers of Facebook, Instagram and others, and in web views. Most of them either cannot open a second
 * window, or replace the first one with it.
 */
export const isInAppBrowser = (userAgent: string): boolean =>
  /\bFB(AN|AV|_IAB)\b|Instagram|\bLine\/|Twitter|musical_ly|Bytedance|TikTok|MicroMessenger|Snapchat|Pinterest|LinkedInApp|WhatsApp|\bGSA\/|; wv\)/.test(
    userAgent,
  ) || /\b(iPhone|iPad|iPod)\b(?!.*Safari\/)/.test(userAgent)

/**
 * Opens an empty window of 800x600 pixels. Call it in a click handler before any `await`; otherwise, browsers block it. Returns
 * null if it is blocked.
 */
export function openPaymentWindow(win: Window): PaymentWindow | null {
  let popup: Window | null = null
  removeReturnNote(win)
  try {
    popup = win.open('about:blank', WINDOW_NAME, WINDOW_FEATURES)
  } catch {
    return null
  }
  // Some blockers return a window that is closed already.
  if (!popup || popup.closed) return null
  const paymentWindow = popup
  try {
    showPlaceholder(paymentWindow.document, win)
  } catch {
    // There is a window of this name that is still at the gateway; the form will load in it.
  }
  return {
    send: target => {
      if (hasFields(target)) postForm(win.document, target)
      else paymentWindow.location.href = target.url
    },
    isClosed: () => paymentWindow.closed,
    isClosedByPayer: () => paymentWindow.closed && win.document.hasFocus(),
    focus: () => paymentWindow.focus(),
    close: () => paymentWindow.close(),
  }
}

const isPaymentSuccess = (data: unknown): data is Record<string, unknown> =>
  isRecord(data) && data.type === 'PAYMENT_SUCCESS'

/**
 * Listens for the message of the return page, which needs no reference to the window. Only pages of this origin can send it.
 */
function listenOnChannel(transactionId: string | undefined, onSuccess: () => void): () => void {
  if (transactionId === undefined || typeof BroadcastChannel === 'undefined') return () => undefined
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isPaymentSuccess(data) && data.transaction_id === transactionId) onSuccess()
  }
  return () => channel.close()
}

/**
 * Watches the window until stopped. When the return page reports the payment, closes the window and calls `handlers.reported`.
 * Any page of this origin could send such a message, so it may only trigger a check. When the payer closes the window, calls
 * `handlers.closed` once. With `transactionId`, the message also arrives if the window is no longer connected to this page.
 * @returns a function that stops watching
 */
export function watchPaymentWindow(
  win: Window,
  popup: PaymentWindow | null,
  handlers: { reported: () => void; closed: () => void },
  transactionId?: string,
): () => void {
  let timer: number | undefined
  const stopTimer = () => win.clearInterval(timer)
  const onReturn = () => {
    stopTimer()
    popup?.close()
    handlers.reported()
  }
  const onMessage = ({ origin, data }: MessageEvent<unknown>) => {
    if (origin === win.location.origin && isPaymentSuccess(data)) onReturn()
  }
  const closeChannel = listenOnChannel(transactionId, onReturn)
  win.addEventListener('message', onMessage)
  if (popup) {
    timer = win.setInterval(() => {
      if (!popup.isClosedByPayer()) return
      stopTimer()
      handlers.closed()
    }, CLOSED_CHECK_MS)
  }
  return () => {
    stopTimer()
    closeChannel()
    win.removeEventListener('message', onMessage)
  }
}
