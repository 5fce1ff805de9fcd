import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPaymentWindow, type PaymentWindow, watchPaymentWindow } from './payment-window.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Just enough of an element to see what a form would send. */
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

function fakeWindow(popup: { closed: boolean } | null | 'throws') {
  const events = new EventTarget()
  const body = new FakeElement('body')
  const open = vi.fn(() => {
    if (popup === 'throws') throw new Error('blocked')
    return popup
  })
  const win = {
    open,
    document: { createElement: (tag: string) => new FakeElement(tag), body },
    location: { origin: 'https://portal.example' },
    setInterval: (run: () => void, ms: number) => setInterval(run, ms),
    clearInterval: (timer: ReturnType<typeof setInterval>) => clearInterval(timer),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  const post = (data: unknown, origin = 'https://portal.example') =>
    events.dispatchEvent(Object.assign(new Event('message'), { data, origin }))
  return { win: asWindow(win), open, body, post }
}

/** Only what the code under test uses of a window is there. */
const asWindow = (fake: object) => fake as Window

const fakePopup = () => ({
  closed: false,
  document: { title: '', body: { textContent: '' } },
  location: { href: 'about:blank' },
  focus: vi.fn(),
  close: vi.fn(),
})

test('opens an empty window of 800x600 at once', () => {
  const { win, open } = fakeWindow(fakePopup())
  expect(openPaymentWindow(win)).not.toBeNull()
  expect(open).toHaveBeenCalledWith('about:blank', 'portal-payment', 'popup,width=800,height=600')
})

test.each([[null], [{ closed: true }], ['throws' as const]])('a refused window is null', popup => {
  expect(openPaymentWindow(fakeWindow(popup).win)).toBeNull()
})

test('a window that is still at the gateway is taken over', () => {
  const popup = {
    closed: false,
    get document(): never {
      throw new Error('cross-origin')
    },
  }
  expect(openPaymentWindow(fakeWindow(popup).win)).not.toBeNull()
})

test('fields are posted into it as they are, and the form leaves nothing behind', () => {
  const { win, body } = fakeWindow(fakePopup())
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

test('without fields it simply opens the address', () => {
  const popup = fakePopup()
  const { win, body } = fakeWindow(popup)
  openPaymentWindow(win)?.send({ url: 'https://gateway.example/pay/1', data: {} })
  expect(popup.location.href).toBe('https://gateway.example/pay/1')
  expect(body.children).toEqual([])
})

function watched() {
  const { win, post } = fakeWindow(null)
  let closed = false
  const popup: PaymentWindow = {
    send: vi.fn(),
    focus: vi.fn(),
    isClosed: () => closed,
    close: vi.fn(() => {
      closed = true
    }),
  }
  const on = { hint: vi.fn(), closed: vi.fn() }
  const stop = watchPaymentWindow(win, popup, on)
  const closeIt = () => {
    closed = true
  }
  return { popup, on, post, stop, closeIt }
}

test('a closed window is noticed within a second, once', () => {
  const { on, closeIt } = watched()
  vi.advanceTimersByTime(5000)
  expect(on.closed).not.toHaveBeenCalled()
  closeIt()
  vi.advanceTimersByTime(1000)
  expect(on.closed).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(10_000)
  expect(on.closed).toHaveBeenCalledTimes(1)
})

test('the return page of this origin closes the window and asks for a check', () => {
  const { popup, on, post } = watched()
  post({ type: 'PAYMENT_SUCCESS', transaction_id: 'CVF1' })
  vi.advanceTimersByTime(5000)
  expect(popup.close).toHaveBeenCalledTimes(1)
  expect(on.hint).toHaveBeenCalledTimes(1)
  expect(on.closed).not.toHaveBeenCalled()
})

test('fault 18: other origins and other messages are not heard', () => {
  const { popup, on, post } = watched()
  post({ type: 'PAYMENT_SUCCESS' }, 'https://evil.example')
  for (const data of [null, 'PAYMENT_SUCCESS', { type: 'OTHER' }, 7]) post(data)
  expect(on.hint).not.toHaveBeenCalled()
  expect(popup.close).not.toHaveBeenCalled()
})

test('once stopped it hears and notices nothing', () => {
  const { on, post, stop, closeIt } = watched()
  stop()
  closeIt()
  post({ type: 'PAYMENT_SUCCESS' })
  vi.advanceTimersByTime(5000)
  expect(on.hint).not.toHaveBeenCalled()
  expect(on.closed).not.toHaveBeenCalled()
})
