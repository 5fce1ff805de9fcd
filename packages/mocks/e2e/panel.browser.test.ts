import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { mockedPage, ready, send } from './mocked-page.ts'

/* The panel that configures the mocks' responses, and the equivalent URL. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const { open, go } = mockedPage()

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate((): Promise<AxeResults> => Reflect.get(globalThis, 'axe').run())
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)
}

const token = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '')
const userOf = (page: Page) => page.getAttribute('body', 'data-user')

test('persona, data and a failure can be chosen by keyboard and persist', async () => {
  const page = await open('?mocks=panel', { bypassCSP: true, viewport: { width: 320, height: 640 } })
  await Promise.all([
    page.waitForNavigation(),
    page.getByLabel('Signed in as').selectOption({ label: 'User: Amina Danjuma-Eze' }),
  ])
  await ready(page)
  expect(await userOf(page)).toBe(personas.user.email)
  await go(page, '?mocks=as:user,panel')
  await send(page, '/verification/statistics', { token: await token(page) })
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
  const [first] = await page.getByLabel('Call').locator('optgroup').all()
  expect(await first?.getAttribute('label')).toBe('Called by this page')
  expect(await first?.locator('option').allTextContents()).toContain('verification.statistics')
  await page.getByLabel('Call').selectOption('verification.statistics')
  await page.getByRole('button', { name: 'Add failure' }).press('Enter')
  await page.getByText('verification.statistics: DATABASE_UNAVAILABLE').waitFor()
  expect(await page.getByText('?mocks=').textContent()).toContain(
    '?mocks=empty,fail:verification.statistics,as:user',
  )
  expect(await violations(page)).toEqual([])
  await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Apply' }).press('Enter')])
  await ready(page)

  await page.reload()
  await ready(page)
  expect(await userOf(page)).toBe(personas.user.email)
  const session = { token: await token(page) }
  expect(await send(page, '/verification/history', session)).toMatchObject({ history: [] })
  expect(await send(page, '/verification/statistics', session)).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  })
})

test('the URL does the same, and `reset` reverts it', async () => {
  const page = await open('?mocks=fast,huge,fail:verification.settings:GATEWAY_UNAVAILABLE,as:admin')
  expect(await page.getByRole('button', { name: 'Mocks' }).count()).toBe(0)
  expect(await userOf(page)).toBe(personas.admin.email)
  expect(await send(page, '/verification/settings')).toMatchObject({ code: 'GATEWAY_UNAVAILABLE' })
  const { pagination } = await send(page, '/admin/certificates', { token: await token(page) })
  expect(pagination).toMatchObject({ total: 1500 })
  await go(page, '?mocks=as:superAdmin')
  expect(await userOf(page)).toBe(personas.superAdmin.email)
  await go(page, '?mocks=reset')
  expect(await userOf(page)).toBe('nobody')
  expect(await send(page, '/verification/settings')).toMatchObject({ verification_fee: 5000 })
})

test('shows emails with their links, and saves files under the API’s name', async () => {
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
      .find(each => each.letter) ?? {}
  const saved = page.waitForEvent('download')
  await page.evaluate(href => {
    const anchor = document.body.appendChild(Object.assign(document.createElement('a'), { href }))
    anchor.click()
  }, letter?.pdf_url ?? '')
  expect((await saved).suggestedFilename()).toMatch(/^verification-letter-\w{12}\.pdf$/)
})
