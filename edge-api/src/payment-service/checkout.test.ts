import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCards } from './cards.ts'
import { computeFormHash, signWebhook } from './signing.ts'
import {
  goodCard,
  type Harness,
  initiate,
  openCheckout,
  pay,
  secret,
  startHarness,
  verify,
} from './test-harness.ts'

let h: Harness
beforeAll(async () => {
  h = await startHarness()
})
afterAll(() => h.stop())

async function text(path: string): Promise<string> {
  return (await h.call(path)).text()
}

describe('opening the checkout', () => {
  it('accepts a genuine form from any origin, and shows the amount', async () => {
    const initiation = await initiate(h)
    const response = await h.call('/checkout/entry', {
      method: 'POST',
      headers: { origin: 'https://anywhere.test' },
      body: new URLSearchParams(initiation.payment_data),
    })
    expect(response.status).toBe(303)
    const path = response.headers.get('location') ?? ''
    expect(path).toMatch(/^\/checkout\/[\w-]{43}$/)
    const page = await text(path)
    for (const part of [
      '₦5,000.00',
      'UG/2019/00123',
      initiation.request_id,
      'Adébáyọ̀ Ọláṣẹ́ńí',
      'Test cards',
    ]) {
      expect(page).toContain(part)
    }
  })

  it.each(['amount', 'currency', 'request_id', 'transaction_id', 'payment_code', 'hash'])(
    'refuses a form with an altered or missing %s',
    async name => {
      const initiation = await initiate(h)
      const altered = { ...initiation.payment_data, [name]: name === 'amount' ? '1.00' : 'X' }
      const { [name]: _, ...incomplete } = initiation.payment_data
      for (const fields of [altered, incomplete]) {
        const response = await h.form('/checkout/entry', fields)
        expect(response.status).toBe(400)
        expect(await response.text()).toContain('details do not match')
      }
    },
  )

  it('refuses a genuine signature over an amount that differs from the stored one', async () => {
    const { payment_data } = await initiate(h)
    const { transaction_id = '', request_id = '', payment_code = '' } = payment_data
    const signedFields = { transaction_id, request_id, payment_code, amount: '5000.00', currency: 'NGN' }
    for (const [change, status] of [
      [{}, 303],
      [{ amount: '1.00' }, 400],
      [{ currency: 'USD' }, 400],
      [{ request_id: 'OTHER' }, 400],
    ] as const) {
      const fields = { ...signedFields, ...change }
      const response = await h.form('/checkout/entry', {
        ...fields,
        hash: await computeFormHash(secret, fields),
      })
      expect([change, response.status]).toEqual([change, status])
    }
  })

  it('accepts a form signed with the secret before a rotation, and signs with the new one', {
    tags: ['FAULT-38'],
  }, async () => {
    const beforeRotation = await initiate(h)
    const rotated = await startHarness({ webhookSecret: `the-new-secret-0123456789, ${secret}` })
    try {
      const {
        transaction_id = '',
        request_id = '',
        payment_code = '',
        amount = '',
        currency = '',
      } = (await initiate(rotated)).payment_data
      const fields = { transaction_id, request_id, payment_code, amount, currency }
      for (const [key, status] of [
        ['the-new-secret-0123456789', 303],
        [secret, 303],
        ['another-secret-0123456789', 400],
      ] as const) {
        const response = await rotated.form('/checkout/entry', {
          ...fields,
          hash: await computeFormHash(key, fields),
        })
        expect([key, response.status]).toEqual([key, status])
      }
      expect((await rotated.form('/checkout/entry', beforeRotation.payment_data)).status).toBe(400)
      const signature = await signWebhook('the-new-secret-0123456789, old', 1, '{}')
      expect(signature).toBe(await signWebhook('the-new-secret-0123456789', 1, '{}'))
    } finally {
      await rotated.stop()
    }
  })

  it('accepts only forms, up to 64 kB', async () => {
    expect((await h.post('/checkout/entry', {})).status).toBe(415)
    expect((await h.form('/checkout/entry', { a: 'x'.repeat(70_000) })).status).toBe(413)
  })

  it('answers a guessed session with a 404 page', async () => {
    const response = await h.call('/checkout/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  it('shows the outcome of a transaction that has ended', async () => {
    const initiation = await initiate(h)
    await h.control('settle', { request_id: initiation.request_id, code: '51' })
    const path = await openCheckout(h, initiation)
    const page = await text(path)
    expect(page).toContain('Payment failed')
    // The page uses the portal's wording for this code.
    expect(page).toContain(
      'Insufficient funds. Please check your account balance. You have not been charged.',
    )
    expect(page).toContain('To pay again, return to the portal.')
    expect(page).not.toContain('name="number"')
  })

  it('names the item to pay for, the merchant and the deadline', async () => {
    const displayed = { purpose: 'Certificate verification UG/2019/00123', payee: 'Ìmọ́lẹ̀ University' }
    const page = await text(await openCheckout(h, await initiate(h, displayed)))
    expect(page).toContain('Pay to <bdi>Ìmọ́lẹ̀ University</bdi>')
    expect(page).toContain('<dd>Certificate verification UG/2019/00123</dd>')
    expect(page).toMatch(/Pay before <time datetime="[^"]+">\d+:\d\d [AP]M WAT<\/time>/)
  })

  it('escapes the texts that the merchant sent', async () => {
    const hostileNames = { fname: '<img src=x onerror=alert(1)>', regnum: '"><b>', payee: '<img>' }
    const page = await text(await openCheckout(h, await initiate(h, hostileNames)))
    expect(page).toContain('&lt;img src=x')
    expect(page).not.toContain('<img')
    expect(page).not.toContain('"><b>')
  })
})

describe('headers', () => {
  it('allow only the style sheet, and forms that end at the merchant', async () => {
    const path = await openCheckout(h, await initiate(h))
    const { headers } = await h.call(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self' http://localhost:8080; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    const page = await text(path)
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    const style = await h.call('/checkout/style.css')
    expect(style.headers.get('content-type')).toContain('text/css')
  })
})

describe('cards', () => {
  const outcomes: Record<string, string> = {
    '00': 'APPROVED',
    '05': 'FAILED',
    14: 'FAILED',
    51: 'FAILED',
    54: 'FAILED',
    91: 'FAILED',
    68: 'PROCESSING',
    Z0: 'PROCESSING',
  }

  it.each(testCards.filter(card => !card.requiresOtp))(
    'a payment with $number ends with $code',
    async ({ number, code }) => {
      const initiation = await initiate(h)
      const { path, answer: response } = await pay(h, initiation, number)
      expect([response.status, response.headers.get('location')]).toEqual([303, path])
      const status = outcomes[code]
      const amount_paid = status === 'APPROVED' ? 5000 : 0
      expect(await verify(h, initiation.request_id)).toMatchObject({
        status,
        code,
        amount_paid,
        currency: 'NGN',
      })
      const page = await text(path)
      expect(page).toContain(number.slice(-4))
      expect(page).toContain('Return to the portal')

      const returnResponse = await h.form(`${path}/return`, {})
      expect(returnResponse.status).toBe(303)
      const returnUrl = new URL(returnResponse.headers.get('location') ?? '')
      expect(returnUrl.origin + returnUrl.pathname).toBe('http://localhost:8080/api/payments/return')
      expect(Object.fromEntries(returnUrl.searchParams)).toEqual({
        from: 'gateway',
        request_id: initiation.request_id,
        'status-code': code,
        'status-msg': expect.stringMatching(/\w/),
      })
    },
  )

  it.each(['http://127.0.0.1:5555/return', 'http://localhost:8080/other'])(
    'an order with a return address on this machine returns to %s',
    async callback_url => {
      const { path } = await pay(h, await initiate(h, { callback_url }))
      const page = await h.call(path)
      expect(page.headers.get('content-security-policy')).toContain(new URL(callback_url).origin)
      const returnResponse = await h.form(`${path}/return`, {})
      expect(returnResponse.headers.get('location')).toMatch(
        new RegExp(`^${callback_url}[?]request_id=.+&status-code=00&`),
      )
    },
  )

  it('an order can return to an IPv6 address of this machine, which a policy cannot name', async () => {
    const { path } = await pay(h, await initiate(h, { callback_url: 'http://[::1]:8080/return' }))
    const page = await h.call(path)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://*:8080;")
    const returnResponse = await h.form(`${path}/return`, {})
    expect(returnResponse.headers.get('location')).toMatch(/^http:\/\/\[::1\]:8080\/return[?]/)
  })

  it('an order with a foreign return address is accepted, but its page shows the outcome instead of redirecting', {
    tags: ['SPEC-7.15'],
  }, async () => {
    const elsewhere = { callback_url: 'https://elsewhere.test/return' }
    const { path } = await pay(h, await initiate(h, elsewhere))
    const page = await h.call(path)
    expect(page.headers.get('refresh')).toBeNull()
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';")
    const pageText = await page.text()
    expect(pageText).toContain('Payment successful')
    expect(pageText).toContain('You can close this window.')
    expect(pageText).not.toContain('elsewhere.test')
    expect((await h.form(`${path}/return`, {})).headers.get('location')).toBe(path)
    const enteredPath = await openCheckout(h, await initiate(h, elsewhere))
    expect((await h.form(`${enteredPath}/cancel`, {})).headers.get('location')).toBe(enteredPath)
    expect(await text(enteredPath)).toContain('Payment cancelled')
  })

  it('the page redirects automatically only after a success', async () => {
    const approved = await pay(h, await initiate(h))
    expect((await h.call(approved.path)).headers.get('refresh')).toBe(`5; url=${approved.path}/return`)
    const declined = await pay(h, await initiate(h), '5060990000000000514')
    expect((await h.call(declined.path)).headers.get('refresh')).toBeNull()
  })

  it('transactions with codes 68 and Z0 never expire, and stay until they are ended', async () => {
    for (const number of ['5060990000000000688', '5060990000000000704']) {
      const initiation = await initiate(h)
      await pay(h, initiation, number)
      h.clock.offsetMs += 60 * 60_000
      await h.service.runScheduledJobs()
      expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'PROCESSING' })
      await h.control('settle', { request_id: initiation.request_id, code: '00' })
      expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'APPROVED', amount_paid: 5000 })
    }
  })

  it('the page shows errors at their fields, keeps input that may be shown, and pays nothing', async () => {
    const initiation = await initiate(h)
    const path = await openCheckout(h, initiation)
    const response = await h.form(`${path}/card`, { ...goodCard, expiry: '01/20', cvv: '987' })
    expect(response.status).toBe(422)
    const page = await response.text()
    expect(page).toContain('This card has expired')
    expect(page).toContain('aria-describedby="expiry-help expiry-error"')
    expect(page).toContain('value="5060 9900 0000 0000 019"')
    expect(page).not.toContain('987')
    expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'PENDING' })
  })

  it('a real card is refused, and its number is not shown again', async () => {
    const path = await openCheckout(h, await initiate(h))
    const response = await h.form(`${path}/card`, { ...goodCard, number: '4084 0840 8408 4081' })
    expect(response.status).toBe(422)
    const page = await response.text()
    expect(page).toContain('This is a test gateway: use one of the test cards')
    expect(page).not.toMatch(/4084/)
  })

  it('accepts one of two submissions, and none once the payment has ended', async () => {
    const initiation = await initiate(h)
    const path = await openCheckout(h, initiation)
    const secondPath = await openCheckout(h, initiation)
    await Promise.all([
      h.form(`${path}/card`, goodCard),
      h.form(`${secondPath}/card`, { ...goodCard, number: '5060990000000000514' }),
    ])
    const outcome = await verify(h, initiation.request_id)
    expect(['APPROVED', 'FAILED']).toContain(outcome.status)
    await h.form(`${path}/card`, goodCard)
    await h.form(`${path}/cancel`, {})
    expect(await verify(h, initiation.request_id)).toEqual(outcome)
  })

  it('the page fills in a test card on request', async () => {
    const path = await openCheckout(h, await initiate(h))
    expect(await text(`${path}?fill=0514`)).toContain('value="5060 9900 0000 0000 514"')
    expect(await text(`${path}?fill=4081`)).toContain('value=""')
  })
})

describe('one-time password', () => {
  const otpCard = '5060990000000000027'

  it('is required, and approves the payment if it is correct', async () => {
    const initiation = await initiate(h)
    const { path } = await pay(h, initiation, otpCard)
    expect(await text(path)).toContain('One-time password')
    expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'PROCESSING', code: '09' })
    expect((await h.form(`${path}/otp`, { otp: '123 456' })).status).toBe(303)
    expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'APPROVED', code: '00' })
  })

  it('fails with 05 at the third wrong password; a malformed one does not count', async () => {
    const initiation = await initiate(h)
    const { path } = await pay(h, initiation, otpCard)
    expect((await h.form(`${path}/otp`, { otp: '12' })).status).toBe(422)
    const wrongReply = await h.form(`${path}/otp`, { otp: '000000' })
    expect(wrongReply.status).toBe(422)
    expect(await wrongReply.text()).toContain('2 tries left')
    expect(await (await h.form(`${path}/otp`, { otp: '000000' })).text()).toContain('1 try left')
    expect((await h.form(`${path}/otp`, { otp: '000000' })).status).toBe(303)
    expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'FAILED', code: '05' })
    await h.form(`${path}/otp`, { otp: '123456' })
    expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'FAILED', code: '05' })
  })

  it('cannot be skipped', async () => {
    const initiation = await initiate(h)
    const path = await openCheckout(h, initiation)
    await h.form(`${path}/otp`, { otp: '123456' })
    expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'PENDING', code: '' })
    const returnResponse = await h.call(`${path}/return`)
    expect(returnResponse.headers.get('location')).toBe(path)
  })
})

describe('cancel and expiry', () => {
  it('cancelling returns immediately with Z6, from the card page and from the password page', async () => {
    for (const number of [undefined, '5060990000000000027']) {
      const initiation = await initiate(h)
      const path = number ? (await pay(h, initiation, number)).path : await openCheckout(h, initiation)
      const response = await h.form(`${path}/cancel`, {})
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toContain('status-code=Z6')
      expect(await verify(h, initiation.request_id)).toMatchObject({ status: 'CANCELLED', code: 'Z6' })
    }
  })

  it('a checkout expires after 25 minutes, at the card or the password, and then accepts no card', async () => {
    for (const number of [undefined, '5060990000000000027']) {
      const initiation = await initiate(h)
      const path = number ? (await pay(h, initiation, number)).path : await openCheckout(h, initiation)
      await h.control('clock', { advance_seconds: 24 * 60 })
      expect(await verify(h, initiation.request_id)).not.toMatchObject({ status: 'EXPIRED' })
      await h.control('clock', { advance_seconds: 61 })
      await h.form(`${path}/card`, goodCard)
      await h.form(`${path}/otp`, { otp: '123456' })
      expect(await text(path)).toContain('Payment expired')
      expect(await verify(h, initiation.request_id)).toMatchObject({
        status: 'EXPIRED',
        code: 'Z5',
        amount_paid: 0,
      })
    }
    await h.control('reset')
  })
})
