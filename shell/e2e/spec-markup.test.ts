import { randomInt } from 'node:crypto'
import { makeCertificate } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { endPaymentAtGateway, newAccount, request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { admin, logIn, portal } from './support/portal.ts'
import { enterNumber, heading, waitForLetter } from './support/verify-flow.ts'

/* Tests row 12 of docs/quality.md: HTML in every field that people fill in is shown as text on every screen. */

withChromium()

/** Returns a different value for each field, so that a screen that omits one is detected. */
const markup = (field: string) => `<img src=x onerror="window.injected='${field}'"> ${field}`

/** Checks that the texts appear as they were typed, and that no part of them became an element. */
async function expectShownAsText(page: Page, ...fields: string[]) {
  for (const field of fields) {
    await poll(() => page.evaluate(() => document.body.textContent ?? ''), field).toContain(markup(field))
  }
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(await page.evaluate(() => 'injected' in window)).toBe(false)
}

test('markup in the fields of a person and a certificate is shown as text on every screen, letter and list', {
  tags: ['QUALITY-12'],
}, async () => {
  const person = await newAccount(
    {
      firstname: markup('firstname'),
      middlename: markup('middlename'),
      lastname: markup('lastname'),
      address: `${markup('company')}, ${markup('street')}, Lagos`,
    },
    portal(),
  )
  const staff = await admin()
  const number = `UG/2019/${randomInt(10_000_000, 99_999_999)}`
  const response = await request('POST', '/admin/certificates', {
    token: staff.token,
    body: makeCertificate({
      certificate_number: number,
      student_name: markup('student'),
      course: markup('course'),
      grade: markup('grade'),
      department: markup('department'),
    }),
    portal: portal(),
  })
  expect(response.status).toBe(201)
  const payment = await request('POST', '/verification/process-payment', {
    token: person.token,
    body: { certificate_number: number },
    portal: portal(),
  })
  const { transaction_id: id, payment_reference: reference } = payment.body
  await endPaymentAtGateway(reference, '00')
  const fetchStatus = () =>
    request('GET', `/verification/check-verification-status/${id}`, { token: person.token, portal: portal() })
  await poll(async () => (await fetchStatus()).body.status).toBe('paid')

  const { page } = await visit({ as: await logIn(person.email, person.password) })
  await page.goto('/dashboard/verify')
  await enterNumber(page, number)
  await heading(page, 'Certificate already verified').waitFor()
  await waitForLetter(page)
  await expectShownAsText(page, 'student', 'course', 'grade', 'company', 'street')
  await page.goto('/dashboard/history')
  await page.getByText(number).first().waitFor()
  await expectShownAsText(page, 'student', 'course')
  await page.goto('/dashboard/overview')
  await expectShownAsText(page, 'firstname')
  await page.goto('/dashboard/profile')
  const firstname = page.getByLabel('First name', { exact: true })
  await poll(() => firstname.inputValue()).toBe(markup('firstname'))
  await expectShownAsText(page, 'company')

  const visitor = await visit()
  await visitor.page.goto(`/track-payment?id=${id}`)
  await heading(visitor.page, 'Payment Successful').waitFor()
  await expectShownAsText(visitor.page, 'student', 'course', 'grade')
  await visitor.page.goto(new URL((await fetchStatus()).body.letter.url).pathname)
  await expectShownAsText(visitor.page, 'company')

  const staffVisit = await visit({ as: await logIn(personas.superAdmin.email, DEMO_PASSWORD) })
  await staffVisit.page.goto(`/dashboard/certificates?search=${encodeURIComponent(number)}`)
  await expectShownAsText(staffVisit.page, 'student', 'course')
  await staffVisit.page.goto(`/dashboard/users?search=${encodeURIComponent(person.email)}`)
  await staffVisit.page.getByText(person.email).first().waitFor()
  await expectShownAsText(staffVisit.page, 'firstname', 'lastname')
  await staffVisit.page.goto('/dashboard/logs')
  await heading(staffVisit.page, /^Activity Logs/).waitFor()
  await expectShownAsText(staffVisit.page)

  // The mail is HTML too, so it contains the input in escaped form.
  const mailbox = await visit()
  await mailbox.page.goto(`/mailbox?to=${encodeURIComponent(person.email)}`)
  await heading(mailbox.page, 'Mailbox').waitFor()
  await expectShownAsText(mailbox.page)
})
