import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  continueHere,
  isInAppBrowser,
  openPaymentWindow,
  type PaymentWindow,
  watchPaymentWindow,
} from './payment-window.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** True if the portal's page has the focus. */
let hasFocus = true
afterEach(() => {
  hasFocus = true
})

/** A minimal element, which records what a form would send. */
class FakeElement {
  [key: string]: unknown
  tag: string
  children: FakeElement[] = []
  submitted = false
  attached = true
  constructor(tag: string) {
    this.tag = tag
  }
  append(child: FakeElement) {
    this.children.push(child)
  }
  submit() {
    this.submitted = true
  }
  remove() {
    this.attached = false
  }
}

function createFakeWindow(popup: { closed: boolean } | null | 'throws') {
  const events = new EventTarget()
  const body = new FakeElement('body')
  const open = vi.fn(() => {
    if (popup === 'throws') throw new Error('blocked')
    return popup
  })
  const storage = new Map<string, string>()
  const assign = vi.fn()
  const win = {
    open,
    sessionStorage: {
      setItem: (name: string, value: string) => storage.set(name, value),
      removeItem: (name: string) => storage.delete(name),
    },
    document: { createElement: (tag: string) => new FakeElement(tag), body, hasFocus: () => hasFocus },
    location: {
      origin: 'https://portal.example',
      pathname: '/dashboard/verify',
      search: '?from=menu',
      assign,
    },
    setInterval: (run: () => void, ms: number) => setInterval(run, ms),
    clearInterval: (timer: ReturnType<typeof setInterval>) => clearInterval(timer),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  const post = (data: unknown, origin = 'https://portal.example') =>
    events.dispatchEvent(Object.assign(new Event('message'), { data, origin }))
  return { win: asWindow(win), open, body, post, assign, storage }
}

/** Casts a fake that has only the parts of a window that are used. */
const asWindow = (fake: object) => fake as Window

const createFakePopup = () => ({
  closed: false,
  document: { title: '', body: { textContent: '' } },
  location: { href: 'about:blank' },
  focus: vi.fn(),
  close: vi.fn(),
})

test('opens an empty 800x600 window immediately', { tags: ['SPEC-4.10', 'SPEC-9.2'] }, () => {
  const { win, open } = createFakeWindow(createFakePopup())
  expect(openPaymentWindow(win)).not.toBeNull()
  expect(open).toHaveBeenCalledWith('about:blank', 'portal-payment', 'popup,width=800,height=600')
})

test.each([[null], [{ closed: true }], ['throws' as const]])(
  'returns null if the window is blocked',
  popup => {
    expect(openPaymentWindow(createFakeWindow(popup).win)).toBeNull()
  },
)

test('reuses a payment window that is still at the gateway', () => {
  const popup = {
    closed: false,
    get document(): never {
      throw new Error('cross-origin')
    },
  }
  expect(openPaymentWindow(createFakeWindow(popup).win)).not.toBeNull()
})

test('posts the fields to the gateway unchanged, and removes the form', {
  tags: ['SPEC-4.10'],
}, () => {
  const { win, body } = createFakeWindow(createFakePopup())
  openPaymentWindow(win)?.send({
    url: 'https://gateway.example/entry',
    data: { request_id: 'R1', 'product-desc': 'Ọ' },
  })
  const [form] = body.children
  expect(form).toMatchObject({
    tag: 'form',
    method: 'post',
    action: 'https://gateway.example/entry',
    target: 'portal-payment',
    submitted: true,
    attached: false,
    children: [
      { type: 'hidden', name: 'request_id', value: 'R1' },
      { type: 'hidden', name: 'product-desc', value: 'Ọ' },
    ],
  })
})

test('opens the gateway’s URL if there are no fields', () => {
  const popup = createFakePopup()
  const { win, body } = createFakeWindow(popup)
  openPaymentWindow(win)?.send({ url: 'https://gateway.example/pay/1', data: {} })
  expect(popup.location.href).toBe('https://gateway.example/pay/1')
  expect(body.children).toEqual([])
})

function watchFakeWindow(transactionId?: string) {
  const { win, post } = createFakeWindow(null)
  let closed = false
  const popup: PaymentWindow = {
    send: vi.fn(),
    focus: vi.fn(),
    isClosed: () => closed,
    isClosedByPayer: () => closed && hasFocus,
    close: vi.fn(() => {
      closed = true
    }),
  }
  const handlers = { reported: vi.fn(), closed: vi.fn() }
  const stop = watchPaymentWindow(win, popup, handlers, transactionId)
  const closePopup = () => {
    closed = true
  }
  return { popup, on: handlers, post, stop, closePopup }
}

test('detects within a second that the window was closed, and reports it once', {
  tags: ['SPEC-4.12', 'SPEC-9.2'],
}, () => {
  const { on, closePopup } = watchFakeWindow()
  vi.advanceTimersByTime(5000)
  expect(on.closed).not.toHaveBeenCalled()
  closePopup()
  vi.advanceTimersByTime(1000)
  expect(on.closed).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(10_000)
  expect(on.closed).toHaveBeenCalledTimes(1)
})

test('treats a window that looks closed as closed only once the portal’s page has the focus', () => {
  const popup = { ...createFakePopup(), closed: false }
  const { win } = createFakeWindow(popup)
  const opened = openPaymentWindow(win)
  const closed = vi.fn()
  watchPaymentWindow(win, opened, { reported: vi.fn(), closed })
  popup.closed = true
  hasFocus = false
  vi.advanceTimersByTime(60_000)
  expect(closed).not.toHaveBeenCalled()
  expect(opened?.isClosedByPayer()).toBe(false)
  hasFocus = true
  vi.advanceTimersByTime(1000)
  expect(closed).toHaveBeenCalledTimes(1)
  expect(opened?.isClosedByPayer()).toBe(true)
})

test('closes the window and triggers a check when the return page of this origin reports the payment', {
  tags: ['SPEC-4.13'],
}, () => {
  const { popup, on, post } = watchFakeWindow()
  post({ type: 'PAYMENT_SUCCESS', transaction_id: 'CVF1' })
  vi.advanceTimersByTime(5000)
  expect(popup.close).toHaveBeenCalledTimes(1)
  expect(on.reported).toHaveBeenCalledTimes(1)
  expect(on.closed).not.toHaveBeenCalled()
})

test('ignores messages from other origins and other messages', { tags: ['FAULT-18', 'SPEC-4.13'] }, () => {
  const { popup, on, post } = watchFakeWindow()
  post({ type: 'PAYMENT_SUCCESS' }, 'https://evil.example')
  for (const data of [null, 'PAYMENT_SUCCESS', { type: 'OTHER' }, 7]) post(data)
  expect(on.reported).not.toHaveBeenCalled()
  expect(popup.close).not.toHaveBeenCalled()
})

const paymentMessage = { type: 'PAYMENT_SUCCESS', transaction_id: 'CVF1' }
/** Sends the message of the return page on the broadcast channel, as it does if the gateway's page has severed the opener. */
async function broadcast(message: unknown) {
  const [sender, receiver] = [new BroadcastChannel('portal-payment'), new BroadcastChannel('portal-payment')]
  const messageArrived = new Promise(resolve => {
    receiver.onmessage = resolve
  })
  sender.postMessage(message)
  await messageArrived
  sender.close()
  receiver.close()
}

test('receives the return page’s message even without an opener, but only about this payment', async () => {
  const { popup, on } = watchFakeWindow('CVF1')
  for (const message of [
    { ...paymentMessage, transaction_id: 'CVF2' },
    { type: 'PAYMENT_SUCCESS' },
    null,
    'x',
  ])
    await broadcast(message)
  expect(on.reported).not.toHaveBeenCalled()
  await broadcast(paymentMessage)
  expect(on.reported).toHaveBeenCalledTimes(1)
  expect(popup.close).toHaveBeenCalledTimes(1)
})

test.each([
  [{ request_id: 'R1' }, 'posted'],
  [{}, 'opened'],
])(
  'with the fields %o, continuing in this tab stores the return path, and the gateway’s page is %s',
  (data, method) => {
    const { win, body, assign, storage } = createFakeWindow(null)
    continueHere(win, { url: 'https://gateway.example/pay', data }, 'CVF1')
    expect(JSON.parse(storage.get('portal.payment-return') ?? '')).toEqual({
      transaction: 'CVF1',
      path: '/dashboard/verify?from=menu',
    })
    if (method === 'posted')
      expect(body.children).toMatchObject([{ target: '_self', method: 'post', submitted: true }])
    else expect(assign).toHaveBeenCalledWith('https://gateway.example/pay')
    expect(body.children).toHaveLength(method === 'posted' ? 1 : 0)
    // A window that is opened later must not inherit the note.
    openPaymentWindow(win)
    expect(storage.size).toBe(0)
  },
)

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/450.0]',
    true,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 320.0',
    true,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    true,
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0 Mobile Safari/537.36',
    true,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
    false,
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0 Mobile Safari/537.36',
    false,
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0 Safari/537.36',
    false,
  ],
])('recognises whether %s is an in-app browser: %s', (userAgent, expected) => {
  expect(isInAppBrowser(userAgent)).toBe(expected)
})

test('ignores messages and the closing of the window once stopped', () => {
  const { on, post, stop, closePopup } = watchFakeWindow()
  stop()
  closePopup()
  post({ type: 'PAYMENT_SUCCESS' })
  vi.advanceTimersByTime(5000)
  expect(on.reported).not.toHaveBeenCalled()
  expect(on.closed).not.toHaveBeenCalled()
})
