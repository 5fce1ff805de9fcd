import { readFileSync } from 'node:fs'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { keepUndoToastsOpen } from '@portal/fixtures/keep-undo-toasts'
import { allPersonas } from '@portal/fixtures/personas'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, findViolations, measureOverflow, readFocusedLabel, setUpScreens } from './screens.ts'

/* Tests User Management and Manage Admins on the mocks, in a real browser. */

const { open: openScreen, go, getPath } = setUpScreens()
/** The number of demo accounts, one of which is disabled. */
const ACCOUNT_COUNT = allPersonas.length
const pollOptions = { timeout: WAIT_TIMEOUT_MS }
const waitForText = (page: Page | Locator, text: string) => page.getByText(text, { exact: true }).waitFor()
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Opens an account list as a demo staff member. */
async function open(path: string, as: 'admin@demo.test' | 'super@demo.test', context = {}): Promise<Page> {
  const page = await openScreen(path, { ...(as === 'super@demo.test' && { as }), context })
  await page.getByRole('rowheader').first().waitFor()
  return page
}

/** Changes an account in the stored state of the mocks, as if someone else had changed it on the server. */
async function changeUserMeanwhile(page: Page, email: string, changes: object) {
  await page.evaluate(
    ([address, next]) => {
      for (const [key, value] of Object.entries(localStorage)) {
        if (!key.startsWith('portal-mocks')) continue
        const state = JSON.parse(value)
        Object.assign(
          state.users.find((user: { email: string }) => user.email === address),
          next,
        )
        localStorage.setItem(key, JSON.stringify(state))
      }
    },
    [email, changes] as const,
  )
}

test('finds people, and keeps search and filters in the URL', { tags: ['STAFF-3', 'STAFF-21'] }, async () => {
  const page = await open('/dashboard/users', 'admin@demo.test')
  await waitForText(page, `${ACCOUNT_COUNT} users`)
  const headers = await page.getByRole('columnheader').allTextContents()
  expect(headers).toEqual(['User', 'Role', 'Status', 'Email verified', 'Joined', 'Actions'])

  await page.keyboard.press('/')
  await page.keyboard.type('amina danj')
  await page.waitForURL('**/users?search=amina+danj')
  await waitForText(page, '1 user')
  await page.getByLabel('Role', { exact: true }).selectOption('Administrator')
  await waitForText(page, 'No Users Found')
  expect(getPath(page)).toBe('/dashboard/users?search=amina+danj&role=admin')
  await button(page, 'Clear filters').click()
  await waitForText(page, `${ACCOUNT_COUNT} users`)

  await page.getByLabel('Status', { exact: true }).selectOption('Unverified')
  await page.waitForURL('**/users?status=unverified')
  await waitForText(page, '1 user')
  await page.reload()
  await waitForText(page, '1 user')
  await row(page, 'unverified@demo.test').waitFor()
  await go(page, '/dashboard/users?page=99')
  await waitForText(page, `${ACCOUNT_COUNT} users`)
  expect(getPath(page)).toBe('/dashboard/users')
})

test('offers an admin only the permitted actions', async () => {
  const page = await open('/dashboard/users', 'admin@demo.test')
  const countActions = async (email: string) =>
    (await row(page, email).getByRole('button').all()).length +
    (await row(page, email).getByRole('combobox').count())
  expect(await countActions('user@demo.test')).toBe(2)
  expect(await countActions('unverified@demo.test')).toBe(4)
  expect(await countActions('admin@demo.test')).toBe(0)
  expect(await countActions('super@demo.test')).toBe(0)
  await row(page, 'admin@demo.test').getByText('(you)').waitFor()
  await button(page, 'Add User').click()
  await page.getByRole('dialog', { name: 'Add User' }).waitFor()
  expect(await page.getByRole('dialog').getByLabel('Role').count()).toBe(0)
})

test('adds a user, and if saving fails, shows errors in the form and keeps the input', {
  tags: ['STAFF-3'],
}, async () => {
  const page = await open('/dashboard/users?status=disabled', 'admin@demo.test')
  await button(page, 'Add User').click()
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await button(dialog, 'Add User').click()
  for (const message of [
    'First name is required',
    'Last name is required',
    'Email is required',
    'Password is required',
  ])
    await waitForText(dialog, message)
  expect(await dialog.getByLabel('First name').evaluate(field => field === document.activeElement)).toBe(true)

  await dialog.getByLabel('First name').fill('Ọmọlará')
  await dialog.getByLabel('Last name').fill('Ẹ̀hìndé')
  await dialog.getByLabel('Email').fill('user@demo.test')
  await dialog.getByLabel('Password', { exact: true }).fill('Str0ngEnough')
  await dialog.getByLabel('Phone number').fill('12')
  await button(dialog, 'Add User').click()
  await waitForText(dialog, 'Please enter a valid phone number')
  await dialog.getByLabel('Phone number').fill('')
  await button(dialog, 'Add User').click()
  await waitForText(dialog, 'Another account already uses this email address.')
  await page.keyboard.press('Escape')
  await button(page.getByRole('alertdialog'), 'Keep editing').click()

  await dialog.getByLabel('Email').fill('new.person@users.test')
  await button(dialog, 'Add User').click()
  await waitForText(page, 'User created successfully. A verification email is on its way.')
  await waitForText(page, `${ACCOUNT_COUNT + 1} users`)
  expect(getPath(page)).toBe('/dashboard/users')
  const first = page.getByRole('row').nth(1)
  await first.getByText('new.person@users.test').waitFor()
  await first.getByText('Unverified').waitFor()
})

test('edits a user, whose new address must be verified again', {
  tags: ['STAFF-3', 'STAFF-21'],
}, async () => {
  const page = await open('/dashboard/users', 'admin@demo.test')
  await button(page, 'Edit Amina Danjuma-Eze').click()
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  await dialog.getByLabel('Email').fill('admin@demo.test')
  await button(dialog, 'Save changes').click()
  await waitForText(dialog, 'Another account already uses this email address.')
  await dialog.getByLabel('Email').fill('amina@moved.test')
  await dialog.getByLabel('Last name').fill('Danjuma')
  await button(dialog, 'Save changes').click()
  await waitForText(page, 'User updated successfully')
  await row(page, 'amina@moved.test').getByText('Unverified').waitFor()
  expect(await readFocusedLabel(page)).toBe('Edit Amina Danjuma')
})

test('disables an account after confirmation, enables it again, and keeps the focus', {
  tags: ['STAFF-3'],
}, async () => {
  const page = await open('/dashboard/users', 'admin@demo.test')
  await button(page, 'Disable Amina Danjuma-Eze').click()
  const confirmDialog = page.getByRole('alertdialog', { name: 'Disable this user?' })
  await button(confirmDialog, 'Cancel').click()
  expect(await readFocusedLabel(page)).toBe('Disable Amina Danjuma-Eze')
  await button(page, 'Disable Amina Danjuma-Eze').click()
  await button(confirmDialog, 'Disable').click()
  await waitForText(page, 'User disabled successfully.')
  await row(page, 'user@demo.test').filter({ hasText: 'Disabled' }).first().waitFor()
  expect(await readFocusedLabel(page)).toBe('Enable Amina Danjuma-Eze')
  await page.keyboard.press('Enter')
  await button(page.getByRole('alertdialog', { name: 'Enable this user?' }), 'Enable').click()
  await waitForText(page, 'User enabled successfully.')
})

test('lets disabling and role changes be undone from the toast', { tags: ['STAFF-20'] }, async () => {
  const page = await open('/dashboard/users', 'super@demo.test')
  await page.evaluate(keepUndoToastsOpen)
  await button(page, 'Disable Amina Danjuma-Eze').click()
  await button(page.getByRole('alertdialog'), 'Disable').click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await button(messages, 'Undo').click()
  await waitForText(messages, 'User enabled successfully.')
  await row(page, 'user@demo.test').first().getByText('Enabled').waitFor()
  expect(await readFocusedLabel(page)).toBe('User Management')
  await button(messages, 'Dismiss').click()

  const role = page.getByLabel('Role of Amina Danjuma-Eze')
  await role.selectOption('Administrator')
  await button(page.getByRole('alertdialog'), 'Change role').click()
  await expect.poll(() => role.inputValue(), pollOptions).toBe('admin')
  await button(messages, 'Undo').click()
  await expect.poll(() => role.inputValue(), pollOptions).toBe('user')
  await button(messages, 'Dismiss').click()

  // Someone else has changed the account in the meantime, so the undo fails and the message says why.
  await button(page, 'Disable Amina Danjuma-Eze').click()
  await button(page.getByRole('alertdialog'), 'Disable').click()
  await waitForText(messages, 'User disabled successfully.')
  await changeUserMeanwhile(page, 'user@demo.test', { role: 'super_admin' })
  await button(messages, 'Undo').click()
  await waitForText(messages.getByRole('alert'), 'Could not undo. A super admin cannot be disabled.')
  await messages.getByText('User disabled successfully.').waitFor({ state: 'detached' })
})

test('verifies an address manually, and resends the email while the address is unverified', {
  tags: ['STAFF-3', 'STAFF-21'],
}, async () => {
  const page = await open('/dashboard/users', 'admin@demo.test')
  await button(page, 'Resend verification email to Bassey Ekpenyong-Udo').click()
  await waitForText(page, 'Verification email resent.')
  await button(page, 'Verify email of Bassey Ekpenyong-Udo').click()
  await waitForText(page, 'User email verified successfully.')
  await button(page, 'Verify email of Bassey Ekpenyong-Udo').waitFor({ state: 'detached' })
  await row(page, 'unverified@demo.test').getByText('Verified', { exact: true }).waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Bassey'))
})

test('shows an alert if an action is rejected, and refetches the list', async () => {
  const page = await open('/dashboard/users', 'admin@demo.test')
  await button(page, 'Disable Amina Danjuma-Eze').click()
  await changeUserMeanwhile(page, 'user@demo.test', { role: 'super_admin' })
  await button(page.getByRole('alertdialog'), 'Disable').click()
  const alert = page.getByRole('alert').filter({ hasText: 'A super admin cannot be disabled.' })
  await alert.waitFor()
  await row(page, 'Amina').getByText('Super Administrator').waitFor()
  await button(alert, 'Dismiss').click()
  await alert.waitFor({ state: 'detached' })
})

test('shows a failed load with a retry button', {
  tags: ['USABILITY-16', 'STAFF-3', 'STAFF-21'],
}, async () => {
  const page = await open('/dashboard/users', 'admin@demo.test')
  await page.evaluate(() => {
    const real = window.fetch
    Object.assign(window, { real })
    window.fetch = () =>
      Promise.resolve(Response.json({ error: 'Broken.', code: 'NOT_FOUND' }, { status: 404 }))
  })
  await page.getByLabel('Status', { exact: true }).selectOption('Enabled')
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to load users' })
  await alert.waitFor()
  await page.evaluate(() => {
    window.fetch = Reflect.get(window, 'real')
  })
  await button(alert, 'Try again').click()
  await waitForText(page, `${ACCOUNT_COUNT - 1} users`)
})

test('lets a super admin change other people’s roles after confirmation', { tags: ['STAFF-3'] }, async () => {
  const page = await open('/dashboard/users', 'super@demo.test')
  expect(await row(page, 'super@demo.test').getByRole('combobox').count()).toBe(0)
  await row(page, 'super@demo.test').getByText('Super Administrator').waitFor()
  const role = page.getByLabel('Role of Amina Danjuma-Eze')
  await role.focus()
  await role.selectOption('Administrator')
  const confirmDialog = page.getByRole('alertdialog', { name: 'Change the role to Administrator?' })
  await button(confirmDialog, 'Cancel').click()
  expect(await role.inputValue()).toBe('user')
  await role.selectOption('Administrator')
  await button(confirmDialog, 'Change role').click()
  await waitForText(page, 'User role updated successfully.')
  await expect.poll(() => role.inputValue(), pollOptions).toBe('admin')
  expect(await readFocusedLabel(page)).toBe(await role.evaluate(field => field.textContent))
})

test('resets a colleague’s authenticator app after asking for the admin’s own password', async () => {
  const page = await open('/dashboard/admins', 'super@demo.test')
  await changeUserMeanwhile(page, 'admin@demo.test', { recovery_codes: ['AAAA'] })
  await row(page, 'admin@demo.test')
    .getByRole('button', { name: /^Reset authenticator app/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Reset the authenticator app?' })
  await button(dialog, 'Reset app').click()
  await waitForText(dialog, 'Current password is required')
  await dialog.getByLabel('Current password').fill('Wrong1234')
  await button(dialog, 'Reset app').click()
  await waitForText(dialog, 'Your current password is not correct.')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Current password').fill('Demo1234')
  await button(dialog, 'Reset app').click()
  await page.getByText('The authenticator app was removed from the account').waitFor()
})

test('downloads personal data, schedules an erasure after asking for the password, and cancels it', {
  tags: ['DATA-17'],
}, async () => {
  const page = await open('/dashboard/users', 'super@demo.test')
  const openPersonalData = async (email: string) => {
    await row(page, email).getByRole('button', { name: /^Edit/ }).click()
    await button(page.getByRole('dialog', { name: 'Edit User' }), 'Personal data…').click()
    return page.getByRole('dialog', { name: 'Personal data' })
  }
  const dialog = await openPersonalData('unverified@demo.test')
  const download = page.waitForEvent('download')
  await button(dialog, 'Download data').click()
  const data = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
  expect((await download).suggestedFilename()).toMatch(/^account_data_\d{4}-\d{2}-\d{2}\.json$/)
  expect(data.profile).toMatchObject({ email: 'unverified@demo.test' })

  await dialog.getByLabel('Current password').fill('Wrong1234')
  await button(dialog, 'Erase in 7 days').click()
  await waitForText(dialog, 'Your current password is not correct.')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Current password').fill('Demo1234')
  await button(dialog, 'Erase in 7 days').click()
  await dialog.getByText(/^Will be erased on /).waitFor()
  expect(await findViolations(page)).toEqual([])
  await button(dialog, 'Keep the account').click()
  await button(dialog, 'Erase in 7 days').waitFor()
  await page.keyboard.press('Escape')

  await go(page, '/dashboard/admins')
  await (await openPersonalData('admin@demo.test')).getByText(/^Staff accounts cannot be erased/).waitFor()
})

test('Manage Admins lists only staff, and adds an administrator', { tags: ['STAFF-6'] }, async () => {
  const page = await open('/dashboard/admins', 'super@demo.test')
  await waitForText(page, '2 administrators')
  expect(await page.getByLabel('Role', { exact: true }).getByRole('option').allTextContents()).toEqual([
    'All roles',
    'Administrator',
    'Super Administrator',
  ])
  await button(page, 'Add administrator').click()
  const dialog = page.getByRole('dialog', { name: 'Add administrator' })
  expect(await dialog.getByLabel('Role').inputValue()).toBe('admin')
  await dialog.getByLabel('First name').fill('Ìyábọ̀')
  await dialog.getByLabel('Last name').fill('Bright')
  await dialog.getByLabel('Email').fill('iyabo@staff.test')
  await dialog.getByLabel('Password', { exact: true }).fill('Str0ngEnough')
  await button(dialog, 'Add administrator').click()
  await waitForText(page, '3 administrators')
  expect(await page.getByLabel('Role of Ìyábọ̀ Bright').inputValue()).toBe('admin')

  // With the role `user`, the account leaves this list, and the focus moves to the heading.
  await page.getByLabel('Role of Ìyábọ̀ Bright').focus()
  await page.getByLabel('Role of Ìyábọ̀ Bright').selectOption('User')
  await button(page.getByRole('alertdialog'), 'Change role').click()
  await waitForText(page, '2 administrators')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Manage Admins')
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, { tags: ['USABILITY-1'] }, async () => {
      const page = await open('/dashboard/users', 'super@demo.test', {
        viewport: { width, height: 900 },
        colorScheme,
      })
      expect(await findViolations(page), 'list').toEqual([])
      expect(await measureOverflow(page)).toBe(0)
      await button(page, 'Add User').click()
      const dialog = page.getByRole('dialog')
      await button(dialog, 'Add User').click()
      await waitForText(dialog, 'Email is required')
      expect(await findViolations(page), 'form with errors').toEqual([])
      await page.keyboard.press('Escape')
      await button(page, 'Edit Amina Danjuma-Eze').click()
      await page.getByRole('dialog', { name: 'Edit User' }).waitFor()
      expect(await findViolations(page), 'edit form').toEqual([])
      await page.keyboard.press('Escape')
      await button(page, 'Disable Amina Danjuma-Eze').click()
      await page.getByRole('alertdialog').waitFor()
      expect(await findViolations(page), 'confirmation dialog').toEqual([])
      await go(page, '/dashboard/admins')
      await page.getByRole('rowheader').first().waitFor()
      expect(await findViolations(page), 'admins').toEqual([])
      expect(await measureOverflow(page)).toBe(0)
    })
  }
}
