import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { personas } from '@portal/fixtures/personas'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { mockedPage, ready, send } from './mocked-page.ts'

/* The panel that changes how the mocks answer, and the address that does the same. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const { open, go } = mockedPage()

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate((): Promise<AxeResults> => Reflect.get(globalThis, 'axe').run())
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)
}

const token = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '')
const userOf = (page: Page) => page.getAttribute('body', 'data-user')

test('the keyboard alone chooses persona, data and a failure; they last', async () => {
  const page = await open('?mocks=panel', { bypassCSP: true, viewport: { width: 320, height: 640 } })
  const opener = page.getByRole('button', { name: 'Mocks' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Mocks' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await opener.evaluate(node => node.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')

  const persona = page.getByLabel('Signed in as')
  await persona.focus()
  await persona.selectOption({ label: 'Amina Danjuma-Eze, user' })
  await page.getByRole('radio', { name: 'Some' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('radio', { name: 'None' }).isChecked()).toBe(true)
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

test('the address does the same, and `reset` undoes it', async () => {
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
