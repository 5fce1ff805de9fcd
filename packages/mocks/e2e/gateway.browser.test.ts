import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { expect, test } from 'vitest'
import { mockedPage, send, waitUntilReady } from './mocked-page.ts'

/* Tests the parts of the mocks that need a browser: the service worker, the stored state and the gateway's window. */

const { open, go } = mockedPage()

test.each([
  ['Pay', 'paid', 'success'],
  ['Decline', 'failed', null],
  ['Cancel', 'failed', null],
])(
  '%s in the gateway’s window ends the payment with the status %s, which a reload does not change',
  async (choice, status, result) => {
    const page = await open()
    const credentials = { email: personas.user.email, password: DEMO_PASSWORD }
    const { token } = await send(page, '/auth/login', { method: 'POST', body: credentials })
    const session = { token: String(token) }
    const started = await send(page, '/verification/process-payment', {
      method: 'POST',
      body: { certificate_number: 'UG/2019/00123' },
      ...session,
    })
    const check = `/verification/check-verification-status/${started.transaction_id}`
    expect(await send(page, check, session)).toMatchObject({ status: 'pending' })

    const popupPromise = page.waitForEvent('popup')
    await page.evaluate(
      to => void window.open(to, 'gateway', 'width=800,height=600'),
      String(started.payment_url),
    )
    const popup = await popupPromise
    await popup.getByText('NGN 5000.00').waitFor()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: choice }).click()
    await closed

    expect(JSON.parse((await page.getAttribute('body[data-told]', 'data-told')) ?? '')).toEqual({
      type: 'PAYMENT_SUCCESS',
      transaction_id: started.transaction_id,
    })
    expect(await send(page, check, session)).toMatchObject({ status, verification_status: result })
    await page.reload()
    await waitUntilReady(page)
    expect(await send(page, check, session)).toMatchObject({ status, verification_status: result })
    await go(page, '?mocks=reset')
    expect(await send(page, check, session)).toMatchObject({ code: 'UNAUTHENTICATED' })
  },
)
