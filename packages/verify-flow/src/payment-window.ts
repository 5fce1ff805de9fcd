import { isRecord } from '@portal/contract/is-record'
import type { PaymentTarget } from './flow.ts'

const NAME = 'portal-payment'
/** Where the return page reports when it has no opener: the checkout's opener policy cut it off. */
const CHANNEL = 'portal-payment'
/** Kept in the tab that goes to the gateway itself, so that the return page leads back to where the payer was. */
const WAY_BACK = 'portal.payment-return'
const FEATURES = 'popup,width=800,height=600'
/** How often a closed window is looked for; the browser reports it in no other way. */
const CLOSED_CHECK_MS = 1000

/** The payment window, from the click on. */
export interface PaymentWindow {
  /** Posts the fields to the gateway in this window; without any, opens its address. */
  send: (target: PaymentTarget) => void
  isClosed: () => boolean
  /**
   * The payer has closed it and is back here. A checkout whose opener policy cut the window off looks closed while the payer is
   * at it, but then this page has no focus.
   */
  isLeft: () => boolean
  focus: () => void
  close: () => void
}

const hasFields = ({ data }: PaymentTarget) => Object.keys(data).length > 0

function postForm(page: Document, target: PaymentTarget, name = NAME) {
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

/** What the window shows until the provider's page loads, in the portal's colours and in the middle. Styles are set
 * one by one: the window has the portal's policy, which allows no style sheet in the page.
 */
function announce(page: Document, win: Window) {
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

/** A window opened from this tab inherits the tab's storage, so the note about the way back must not be in it. */
export function dropWayBack(win: Window): void {
  try {
    win.sessionStorage.removeItem(WAY_BACK)
  } catch {
    // Without storage there was no note either.
  }
}

/** Sends this tab itself to the gateway; its return page leads back to `path`, where the payment is resumed. */
export function continueHere(
  win: Window,
  target: PaymentTarget,
  transaction: string,
  path = win.location.pathname + win.location.search,
): void {
  try {
    win.sessionStorage.setItem(WAY_BACK, JSON.stringify({ transaction, path }))
  } catch {
    // The return page then shows a link.
  }
  if (hasFields(target)) postForm(win.document, target, '_self')
  else win.location.assign(target.url)
}

/**
 * True in the browsers that apps such as Facebook or Instagram bring, and in web views: most of them open no second
 * window, or open it in the place of the first.
 */
export const isInAppBrowser = (userAgent: string): boolean =>
  /\bFB(AN|AV|_IAB)\b|Instagram|\bLine\/|Twitter|musical_ly|Bytedance|TikTok|MicroMessenger|Snapchat|Pinterest|LinkedInApp|WhatsApp|\bGSA\/|; wv\)/.test(
    userAgent,
  ) || /\b(iPhone|iPad|iPod)\b(?!.*Safari\/)/.test(userAgent)

/**
 * Opens an empty 800x600 window. Call it inside the click, before anything is awaited, or it is blocked.
 * Null when the browser refuses it.
 */
export function openPaymentWindow(win: Window): PaymentWindow | null {
  let popup: Window | null = null
  dropWayBack(win)
  try {
    popup = win.open('about:blank', NAME, FEATURES)
  } catch {
    return null
  }
  // Some blockers hand out a window that is closed already.
  if (!popup || popup.closed) return null
  const opened = popup
  try {
    announce(opened.document, win)
  } catch {
    // A window of that name was still at the gateway; the form takes it over all the same.
  }
  return {
    send: target => {
      if (hasFields(target)) postForm(win.document, target)
      else opened.location.href = target.url
    },
    isClosed: () => opened.closed,
    isLeft: () => opened.closed && win.document.hasFocus(),
    focus: () => opened.focus(),
    close: () => opened.close(),
  }
}

const isPaymentSuccess = (data: unknown): data is Record<string, unknown> =>
  isRecord(data) && data.type === 'PAYMENT_SUCCESS'

/** Hears the return page of this payment without a window between them; pages of this origin alone can speak there. */
function listenOnChannel(transactionId: string | undefined, hear: () => void): () => void {
  if (transactionId === undefined || typeof BroadcastChannel === 'undefined') return () => undefined
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isPaymentSuccess(data) && data.transaction_id === transactionId) hear()
  }
  return () => channel.close()
}

/**
 * Watches until stopped: the return page's message closes the window and calls `on.hint` (anyone of this origin could
 * send it, so it only asks for a check); a window that the payer has left calls `on.closed` once. With `transactionId`, the
 * return page of that payment is heard also where the gateway's page cut the windows off from each other.
 */
export function watchPaymentWindow(
  win: Window,
  popup: PaymentWindow | null,
  on: { hint: () => void; closed: () => void },
  transactionId?: string,
): () => void {
  let timer: number | undefined
  const stopTimer = () => win.clearInterval(timer)
  const onReturn = () => {
    stopTimer()
    popup?.close()
    on.hint()
  }
  const onMessage = ({ origin, data }: MessageEvent<unknown>) => {
    if (origin === win.location.origin && isPaymentSuccess(data)) onReturn()
  }
  const closeChannel = listenOnChannel(transactionId, onReturn)
  win.addEventListener('message', onMessage)
  if (popup) {
    timer = win.setInterval(() => {
      if (!popup.isLeft()) return
      stopTimer()
      on.closed()
    }, CLOSED_CHECK_MS)
  }
  return () => {
    stopTimer()
    closeChannel()
    win.removeEventListener('message', onMessage)
  }
}
