import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { mockedPage, send, waitUntilReady } from './mocked-page.ts'

/* Tests the panel that configures the mocks' responses, and the same configuration in the URL. */

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const { open, go } = mockedPage()

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const found = await page.evaluate((): Promise<AxeResults> => Reflect.get(globalThis, 'axe').run())
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)
}

const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '')
const readUser = (page: Page) => page.getAttribute('body', 'data-user')

/** Marks the page, so that the test can tell later whether it was reloaded. */
const markPage = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-test', 'same'))
const isMarked = (page: Page) =>
  page.evaluate(() => document.documentElement.getAttribute('data-test') === 'same')

/** Waits until the page has been notified of this number of changes. */
const waitForChanges = (page: Page, times: number) => page.waitForSelector(`body[data-changes="${times}"]`)

test('lets the user change persona, data and calls by keyboard without a reload, and keeps the changes', async () => {
  const page = await open('?mocks=panel', { bypassCSP: true, viewport: { width: 320, height: 640 } })
  await markPage(page)
  await page.getByLabel('Signed in as').selectOption({ label: 'User: Amina Danjuma-Eze' })
  await waitForChanges(page, 1)
  expect(await readUser(page)).toBe(personas.user.email)
  const session = { token: await readToken(page) }
  await send(page, '/verification/statistics', session)
  const opener = page.getByRole('button', { name: 'Mocks' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Mocks' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await opener.evaluate(node => node.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')

  await page.getByRole('radio', { name: 'Some' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('radio', { name: 'None' }).isChecked()).toBe(true)
  const [firstGroup] = await page.getByLabel('Call').locator('optgroup').all()
  expect(await firstGroup?.getAttribute('label')).toBe('Called by this page')
  expect(await firstGroup?.locator('option').allTextContents()).toContain('verification.statistics')
  const addCondition = async (call: string, effect: string) => {
    await page.getByLabel('Call').selectOption(call)
    await page.getByLabel('Effect').selectOption(effect)
    await page.getByRole('button', { name: 'Add' }).press('Enter')
  }
  await addCondition('verification.statistics', 'Fails every time')
  await addCondition('verification.settings', 'Fails once')
  await page.getByLabel('Effect').selectOption('Takes longer')
  await page.getByLabel('Milliseconds').fill('70')
  await addCondition('verification.history', 'Takes longer')
  for (const text of [
    'verification.statistics: DATABASE_UNAVAILABLE',
    'verification.settings: DATABASE_UNAVAILABLE, once',
    'verification.history: 70 ms longer',
  ])
    await page.getByText(text, { exact: true }).waitFor()
  expect(await page.getByText('?mocks=').textContent()).toContain(
    '?mocks=empty,fail:verification.statistics,once:verification.settings,wait:verification.history:70',
  )
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Apply' }).press('Enter')
  await waitForChanges(page, 2)

  const unavailable = { code: 'DATABASE_UNAVAILABLE' }
  expect(await send(page, '/verification/history', session)).toMatchObject({ history: [] })
  expect(await send(page, '/verification/statistics', session)).toMatchObject(unavailable)
  expect(await send(page, '/verification/settings')).toMatchObject(unavailable)
  expect(await send(page, '/verification/settings')).toMatchObject({ verification_fee: 5000 })
  expect(await isMarked(page)).toBe(true)

  await page.reload()
  await waitUntilReady(page)
  expect(await readUser(page)).toBe(personas.user.email)
  expect(await send(page, '/verification/statistics', session)).toMatchObject(unavailable)
  expect(await send(page, '/verification/settings')).toMatchObject({ verification_fee: 5000 })
})

test('gives many rows to every persona that is chosen', async () => {
  const page = await open('?mocks=fast,huge,as:otherUser,panel')
  await markPage(page)
  const countHistory = async () => {
    const { pagination } = await send(page, '/verification/history', { token: await readToken(page) })
    return Object(pagination).total
  }
  expect(await countHistory()).toBe(1500)
  await page.getByLabel('Signed in as').selectOption({ label: 'User: Amina Danjuma-Eze' })
  await waitForChanges(page, 1)
  expect(await readUser(page)).toBe(personas.user.email)
  expect(await countHistory()).toBe(1500)
  expect(await isMarked(page)).toBe(true)
})

test('takes the same conditions from the URL, and reverts them with `reset`', async () => {
  const page = await open('?mocks=fast,huge,fail:verification.settings:GATEWAY_UNAVAILABLE,as:admin')
  expect(await page.getByRole('button', { name: 'Mocks' }).count()).toBe(0)
  expect(await readUser(page)).toBe(personas.admin.email)
  expect(await send(page, '/verification/settings')).toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  const { pagination } = await send(page, '/admin/certificates', { token: await readToken(page) })
  expect(pagination).toMatchObject({ total: 1500 })
  await go(page, '?mocks=as:superAdmin')
  expect(await readUser(page)).toBe(personas.superAdmin.email)
  await go(page, '?mocks=reset')
  expect(await readUser(page)).toBe('nobody')
  expect(await send(page, '/verification/settings')).toMatchObject({ verification_fee: 5000 })
})

test('shows emails with their links, and saves a file under the name that the API gives it', async () => {
  const page = await open('?mocks=fast,panel')
  const person = makeUser()
  await send(page, '/auth/register', { method: 'POST', body: person })
  await page.getByRole('button', { name: 'Mocks' }).click()
  await page.getByText(`${person.email}: Verify your email address`).waitFor()
  const link = page.getByRole('link', { name: 'Follow link' })
  expect(await link.getAttribute('href')).toMatch(/^http:\/\/localhost:\d+\/verify-email\/\w/)
  await page.keyboard.press('Escape')

  const credentials = { email: personas.user.email, password: DEMO_PASSWORD }
  const signedIn = await send(page, '/auth/login', { method: 'POST', body: credentials })
  const { history } = await send(page, '/verification/history', { token: String(signedIn.token) })
  const { letter } =
    z
      .array(z.object({ letter: z.object({ pdf_url: z.string() }).nullable() }))
      .parse(history)
      .find(item => item.letter) ?? {}
  const saved = page.waitForEvent('download')
  await page.evaluate(href => {
    const anchor = document.body.appendChild(Object.assign(document.createElement('a'), { href }))
    anchor.click()
  }, letter?.pdf_url ?? '')
  expect((await saved).suggestedFilename()).toMatch(/^verification-letter-\w{12}\.pdf$/)
})
