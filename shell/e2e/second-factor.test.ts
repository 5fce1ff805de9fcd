import { makeUser } from '@portal/fixtures/factories'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request, waitForMailedToken } from '../../edge-api/test/portal.ts'
import { codeOf } from './support/authenticator.ts'
import { visit, withChromium } from './support/browser.ts'
import { logIn, ownPortal } from './support/portal.ts'
import { button, heading } from './support/verify-flow.ts'

withChromium()

// The policy locks staff out of all screens, so this file has a separate portal.
const isolatedPortal = ownPortal()

async function newAdmin() {
  const portal = isolatedPortal.current
  const superAdmin = await logIn(personas.superAdmin.email, DEMO_PASSWORD, portal)
  const person = makeUser()
  await request('POST', '/admin/users', {
    token: superAdmin.token,
    body: { ...person, role: 'admin' },
    portal,
  })
  await request(
    'GET',
    `/auth/verify-email/${await waitForMailedToken('verify-email', person.email, portal)}`,
    {
      portal,
    },
  )
  return { ...person, root: superAdmin }
}

async function submitLogin(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/?dialog=login')
  const dialog = page.getByRole('dialog', { name: 'Login to Your Account' })
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
  return dialog
}

test('if the institution requires it, staff set up an authenticator app and log in with its codes', {
  tags: ['STAFF-5'],
}, async () => {
  const person = await newAdmin()
  const portal = isolatedPortal.current
  const { page, problems } = await visit({ portal })
  problems.expect(
    /^400 POST \/api\/auth\/second-factor\/confirm/,
    /^403 GET \/api\/admin\//,
    /^401 POST \/api\/auth\/login/,
  )
  await request('PUT', '/admin/settings/policies', {
    token: person.root.token,
    body: { staff_totp: true },
    portal,
  })

  await submitLogin(page, person)
  await page.getByText('Your institution requires an authenticator app for staff').waitFor()
  await page.getByRole('link', { name: 'Set it up now' }).click()
  await heading(page, 'Account Security').waitFor()
  await page.getByLabel('Current password').fill(person.password)
  await button(page, 'Set up authenticator app').click()
  await page.getByRole('img', { name: 'QR code for your app' }).waitFor()
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
  const code = page.getByLabel('Code from your authenticator app')
  await code.fill(codeOf(secret) === '000000' ? '000001' : '000000')
  await button(page, 'Confirm code').click()
  await page
    .getByText('This code is not correct or was already used. Please enter the next code of your app')
    .waitFor()
  await code.fill(codeOf(secret))
  await button(page, 'Confirm code').click()
  await heading(page, 'Keep your recovery codes').waitFor()
  const recoveryCodes = await page.getByRole('listitem').locator('code').allTextContents()
  expect(recoveryCodes).toHaveLength(10)
  await button(page, 'I have saved them').click()
  await page.getByText('10 recovery codes are left.').waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Total Certificates').waitFor()

  await page.getByRole('button', { name: 'Sign Out' }).first().click()
  const dialog = await submitLogin(page, person)
  const codeField = dialog.getByLabel('Code from your authenticator app')
  await codeField.fill(codeOf(secret, 1) === '111111' ? '111112' : '111111')
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
  await dialog
    .getByRole('alert')
    .getByText('This code is not correct or was already used. Please enter the next code of your app')
    .waitFor()
  await codeField.fill(recoveryCodes[0] ?? '')
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
  await heading(page, 'Admin Dashboard').or(page.getByText('Total Certificates')).first().waitFor()
})
