import type { PaymentTarget } from './flow.ts'

const NAME = 'portal-payment'
const FEATURES = 'popup,width=800,height=600'
/** How often a closed window is noticed; the browser tells no other way. */
const CLOSED_CHECK_MS = 1000

/** The payment window, from the click on. */
export interface PaymentWindow {
  /** Posts the fields to the gateway in this window; without any, opens its address. */
  send: (target: PaymentTarget) => void
  isClosed: () => boolean
  focus: () => void
  close: () => void
}

function postForm(page: Document, target: PaymentTarget) {
  const form = page.createElement('form')
  form.method = 'post'
  form.action = target.url
  form.target = NAME
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
 * What stands in the window until the provider's page comes, in the portal's colours and in the middle. Styles are set
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

/**
 * Opens an empty 800x600 window. Call it inside the click, before anything is awaited, or it is blocked.
 * Null when the browser refuses it.
 */
export function openPaymentWindow(win: Window): PaymentWindow | null {
  let popup: Window | null = null
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
      if (Object.keys(target.data).length > 0) postForm(win.document, target)
      else opened.location.href = target.url
    },
    isClosed: () => opened.closed,
    focus: () => opened.focus(),
    close: () => opened.close(),
  }
}

function isPaymentSuccess(event: MessageEvent<unknown>, origin: string): boolean {
  const { data } = event
  return (
    event.origin === origin &&
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    data.type === 'PAYMENT_SUCCESS'
  )
}

/**
 * Watches until stopped: the return page's message closes the window and calls `on.hint` (anyone of this origin could
 * send it, so it only asks for a check); a window that the payer closed calls `on.closed` once.
 */
export function watchPaymentWindow(
  win: Window,
  popup: PaymentWindow | null,
  on: { hint: () => void; closed: () => void },
): () => void {
  let timer: number | undefined
  const stopTimer = () => win.clearInterval(timer)
  const onMessage = (event: MessageEvent<unknown>) => {
    if (!isPaymentSuccess(event, win.location.origin)) return
    stopTimer()
    popup?.close()
    on.hint()
  }
  win.addEventListener('message', onMessage)
  if (popup) {
    timer = win.setInterval(() => {
      if (!popup.isClosed()) return
      stopTimer()
      on.closed()
    }, CLOSED_CHECK_MS)
  }
  return () => {
    stopTimer()
    win.removeEventListener('message', onMessage)
  }
}
