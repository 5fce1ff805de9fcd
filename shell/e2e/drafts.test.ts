import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { clickAfterSessionEnd } from './support/ended-session.ts'
import { createCertificate, logIn, newUser, portal } from './support/portal.ts'
import { button, enterNumber, goToPayment, heading, numberField } from './support/verify-flow.ts'

/*
 * Tests that unsent input is kept for its account when a session ends or a page is reloaded, and is never shown to another
 * account.
 */

withChromium()

const logInAsAdmin = () => logIn(personas.admin.email, DEMO_PASSWORD)

/** Logs in on the page that is shown after a session has ended. */
async function logInAgain(page: Page, { email, password }: { email: string; password: string }) {
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  await button(page, 'Log in').click()
  const login = page.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByLabel('Email', { exact: true }).fill(email)
  await login.getByLabel('Password', { exact: true }).fill(password)
  await login.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Returns the drafts stored in the browser. */
const readStoredDrafts = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, value]) => (key.startsWith('portal.draft:') ? [value] : [])),
  )

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const draftOffer = (page: Page, label: string) => page.getByText(`Unsaved draft: ${label}`)

async function openEdit(page: Page, number: string) {
  await page.goto(`/dashboard/certificates?search=${encodeURIComponent(number)}`)
  await page.getByRole('row').filter({ hasText: number }).getByRole('button', { name: /edit/i }).click()
  await dialog(page, 'Edit certificate').waitFor()
}

const adminCredentials = { email: personas.admin.email, password: DEMO_PASSWORD }

/** Opens a page of an admin whose session ended while a certificate was being edited. */
async function interruptEdit() {
  const [person, stored] = await Promise.all([logInAsAdmin(), createCertificate()])
  const { page, problems, context } = await visit({ as: person })
  problems.expect(/^401 /)
  await openEdit(page, stored.certificate_number)
  const form = dialog(page, 'Edit certificate')
  await form.getByLabel('Student name').fill('Adaeze Nwosu-Bello')
  await form.getByLabel('Grade').fill('Merit')
  await clickAfterSessionEnd(person, page, form.getByRole('button', { name: 'Save changes' }))
  await page.getByText('Unsent input is kept in this browser').waitFor()
  return { page, context, stored, number: stored.certificate_number }
}

test('if a session ends while a certificate is edited, the draft is offered after login, and can be saved', {
  tags: ['USABILITY-22'],
}, async () => {
  const { page, stored, number } = await interruptEdit()
  await logInAgain(page, adminCredentials)
  await page.waitForURL('**/dashboard/certificates**')
  await draftOffer(page, `Edit certificate ${number}`).waitFor()
  // Meanwhile, someone else changed one field that was edited here too, and one that was not.
  const { token } = await logInAsAdmin()
  const { id: _id, ...body } = stored
  const changed = await request('PUT', `/admin/certificates/${stored.id}`, {
    token,
    body: {
      certificate_number: number,
      student_name: body.student_name,
      matric_number: body.matric_number ?? '',
      course: 'B.Sc. Changed Elsewhere',
      department: body.department,
      grade: 'Distinction',
      graduation_date: body.graduation_date,
    },
    portal: portal(),
  })
  expect(changed.status).toBe(200)
  await button(page, 'Continue').click()
  const form = dialog(page, 'Edit certificate')
  await form.getByText(/^Your changes from .* were restored/).waitFor()
  await form.getByText('Changed by someone else since then: Grade.').waitFor()
  await poll(() => form.getByLabel('Student name').inputValue()).toBe('Adaeze Nwosu-Bello')
  expect(await form.getByLabel('Grade').inputValue()).toBe('Merit')
  expect(await form.getByLabel('Course').inputValue()).toBe('B.Sc. Changed Elsewhere')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Certificate updated').first().waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: 'Adaeze Nwosu-Bello' })
    .getByText('Changed Elsewhere')
    .waitFor()
  expect(await readStoredDrafts(page)).toEqual([])
  expect(await draftOffer(page, `Edit certificate ${number}`).count()).toBe(0)
})

test('a draft is offered only to the account that wrote it, in every tab, and discarding it removes it from all tabs', {
  tags: ['USABILITY-22'],
}, async () => {
  const { page, context, number } = await interruptEdit()
  await logInAgain(page, { email: personas.superAdmin.email, password: DEMO_PASSWORD })
  await page.waitForURL('**/dashboard/certificates**')
  await page.getByRole('row').filter({ hasText: number }).waitFor()
  expect(await page.getByText('Unsaved draft').count()).toBe(0)
  await openEdit(page, number)
  expect(await dialog(page, 'Edit certificate').getByLabel('Grade').inputValue()).not.toBe('Merit')
  await page.keyboard.press('Escape')
  await button(page, 'Sign Out').first().click()
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  expect(await readStoredDrafts(page)).toHaveLength(1)

  await button(page, 'Login').first().click()
  const login = page.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByLabel('Email', { exact: true }).fill(adminCredentials.email)
  await login.getByLabel('Password', { exact: true }).fill(adminCredentials.password)
  await login.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/dashboard/overview')
  const secondTab = await context.newPage()
  for (const tab of [page, secondTab]) {
    await tab.goto('/dashboard/certificates')
    await draftOffer(tab, `Edit certificate ${number}`).waitFor()
  }
  await button(page, 'Discard draft').click()
  for (const tab of [page, secondTab])
    await draftOffer(tab, `Edit certificate ${number}`).waitFor({ state: 'detached' })
  expect(await readStoredDrafts(page)).toEqual([])
})

test('a draft is restored when its form is opened again, and discarding it shows the stored values', async () => {
  const [person, { certificate_number: number, course }] = await Promise.all([
    logInAsAdmin(),
    createCertificate(),
  ])
  const { page } = await visit({ as: person })
  await openEdit(page, number)
  await dialog(page, 'Edit certificate').getByLabel('Course').fill('B.Sc. Half Typ')
  await openEdit(page, number)
  const field = dialog(page, 'Edit certificate').getByLabel('Course')
  await poll(() => field.inputValue()).toBe('B.Sc. Half Typ')
  await button(page, 'Discard draft').click()
  await poll(() => field.inputValue()).toBe(course)
  expect(await readStoredDrafts(page)).toEqual([])
  await field.fill('B.Sc. Again')
  await poll(() => readStoredDrafts(page)).toHaveLength(1)
  // Closes the form, and confirms that the input is to be discarded.
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await poll(() => readStoredDrafts(page)).toEqual([])
})

test('signing out removes all drafts from the browser, and no draft contains a password', {
  tags: ['USABILITY-23'],
}, async () => {
  const { page } = await visit({ as: await logInAsAdmin() })
  await page.goto('/dashboard/users')
  await button(page, 'Add User').click()
  const form = dialog(page, 'Add User')
  await form.getByLabel('First name').fill('Ngozi')
  await form.getByLabel('Password', { exact: true }).fill('Sup3rSecret!word')
  await form.getByRole('button', { name: 'Show password' }).click()
  await form.getByLabel('Password', { exact: true }).press('End')
  await page.keyboard.type('X')
  await form.getByLabel('Last name').fill('Eze')
  await poll(async () => (await readStoredDrafts(page)).join()).toContain('Eze')
  expect((await readStoredDrafts(page)).join()).not.toContain('Sup3r')
  await page.reload()
  await draftOffer(page, 'Add User').waitFor()
  await button(page, 'Continue').click()
  await form.getByText('Passwords are not saved: choose one again.').waitFor()
  expect(await form.getByLabel('First name').inputValue()).toBe('Ngozi')
  expect(await form.getByLabel('Password', { exact: true }).inputValue()).toBe('')
  await page.reload()
  await draftOffer(page, 'Add User').waitFor()
  await button(page, 'Sign Out').first().click()
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  expect(await readStoredDrafts(page)).toEqual([])
})

test('unsaved settings and profile changes are restored after login', {
  tags: ['USABILITY-22'],
}, async () => {
  const superAdmin = await logIn(personas.superAdmin.email, DEMO_PASSWORD)
  const person = await newUser()
  for (const [account, password, path, label, submit] of [
    [superAdmin, DEMO_PASSWORD, '/dashboard/super-settings?section=letter', 'Thanks', 'Save changes'],
    [superAdmin, DEMO_PASSWORD, '/dashboard/settings', 'Verification fee (NGN)', 'Update fee'],
    [person, person.password, '/dashboard/profile', 'Address', 'Update Profile'],
  ] as const) {
    const session = await logIn(account.user.email, password)
    const { page, problems } = await visit({ as: session })
    problems.expect(/^401 /)
    await page.goto(path)
    const field = page.getByLabel(label, { exact: true })
    await field.waitFor()
    const before = await field.inputValue()
    const typed = label.includes('fee') ? '5100' : `${before}, typed`
    await field.fill(typed)
    await clickAfterSessionEnd(session, page, button(page, submit))
    await logInAgain(page, { email: account.user.email, password })
    await page.waitForURL(`**${path}`)
    await page.getByText(/^Your changes from .* were restored/).waitFor()
    await poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(typed)
    await button(page, 'Discard draft').click()
    await poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(before)
    expect(await readStoredDrafts(page)).toEqual([])
  }
})

test('a reload at the payment step returns to that step, and another tab is offered the number', {
  tags: ['USABILITY-22'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page, context, problems } = await visit({ as: person })
  problems.expect(/^401 /)
  await goToPayment(page, number)
  await page.reload()
  await heading(page, 'Pay the verification fee').waitFor()
  await page.getByText(number).first().waitFor()

  const secondTab = await context.newPage()
  await secondTab.goto('/dashboard/verify')
  await secondTab.getByText(`The verification of ${number} was not finished.`).waitFor()
  expect(await numberField(secondTab).inputValue()).toBe('')
  await secondTab.close()

  await clickAfterSessionEnd(person, page, button(page, 'Open Secure Payment Gateway'))
  await logInAgain(page, person)
  await page.waitForURL('**/dashboard/verify')
  await button(page, 'Continue').click()
  await heading(page, 'Pay the verification fee').waitFor()
  await button(page, 'Edit Number').click()
  await numberField(page).fill('')
  await page.reload()
  await numberField(page).waitFor()
  expect(await page.getByText('was not finished').count()).toBe(0)
})

test('a number entered before login is kept in this tab and in a second one', {
  tags: ['USABILITY-22'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page, context } = await visit()
  await page.goto('/')
  await enterNumber(page, number)
  await page.getByRole('dialog', { name: 'Login to Your Account' }).waitFor()

  // Opens the login in the same way as the emailed link that confirms a new account.
  const secondTab = await context.newPage()
  await secondTab.goto('/?dialog=login')
  const login = secondTab.getByRole('dialog', { name: 'Login to Your Account' })
  await login.getByText(`Log in to verify ${number}.`).waitFor()
  await login.getByLabel('Email', { exact: true }).fill(person.email)
  await login.getByLabel('Password', { exact: true }).fill(person.password)
  await login.getByRole('button', { name: 'Login', exact: true }).click()
  await secondTab.waitForURL('**/dashboard/verify')
  await poll(() => numberField(secondTab).inputValue()).toBe(number)

  await page.bringToFront()
  await page.waitForURL('**/dashboard/verify')
  await poll(() => numberField(page).inputValue()).toBe(number)
})

test('a visitor’s input stays in the field when someone logs in using another tab', async () => {
  const person = await newUser()
  const { page, context } = await visit()
  await page.goto('/')
  await numberField(page).fill('UG/2019/1')
  const secondTab = await context.newPage()
  await secondTab.goto('/')
  await secondTab.evaluate(({ token, user }) => {
    localStorage.setItem('token', token)
    localStorage.setItem('user', JSON.stringify(user))
  }, person)
  await button(page, 'Login').first().waitFor({ state: 'detached' })
  await poll(() => numberField(page).inputValue()).toBe('UG/2019/1')
})
