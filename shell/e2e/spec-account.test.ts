import { readFile } from 'node:fs/promises'
import { errorCatalogue } from '@portal/contract/errors'
import type { StatusReply } from '@portal/contract/verification'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { admin, createCertificate, logIn, newUser } from './support/portal.ts'
import { failWith, holdBack, measureTimeShown } from './support/timing.ts'
import { button, goToPayment, heading, numberField, openGateway, readFact } from './support/verify-flow.ts'

/* Tests texts, timers and transitions of the specification for requesters (docs/spec-coverage.md). */

withChromium()

const busyError = { error: errorCatalogue.DATABASE_UNAVAILABLE.message, code: 'DATABASE_UNAVAILABLE' }
const demoUser = () => logIn(personas.user.email, DEMO_PASSWORD)
const pathOf = (page: Page) => new URL(page.url()).pathname
const sidebar = (page: Page) => page.getByRole('complementary')
const stat = (page: Page, group: string, label: string) =>
  page
    .getByLabel(group, { exact: true })
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')
    .first()

test('dashboard shell: has a loading state, a first tab, the tabs of a user, a sidebar of 280 or 80 px, a clock and an account menu', {
  tags: [
    'SPEC-2.29',
    'SPEC-2.30',
    'SPEC-2.32',
    'SPEC-2.33',
    'SPEC-2.34',
    'SPEC-2.36',
    'SPEC-2.40',
    'SPEC-9.5',
    'SPEC-9.14',
  ],
}, async () => {
  const person = await newUser()
  const { page, problems } = await visit({ as: person })
  const release = await holdBack(page, '**/api/auth/profile')
  await page.goto('/dashboard')
  await page.getByText('Loading dashboard...').waitFor()
  release()
  await page.waitForURL('**/dashboard/verify')

  const tabs = sidebar(page).getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  await poll(() => tabs.allTextContents()).toEqual([
    'Overview',
    'Verify Certificate',
    'Verification History',
    'Profile Settings',
  ])
  const readWidth = () => sidebar(page).evaluate(part => part.getBoundingClientRect().width)
  await poll(readWidth).toBe(280)
  await button(page, 'Collapse sidebar').click()
  await poll(readWidth).toBe(80)
  await button(page, 'Expand sidebar').click()
  await poll(readWidth).toBe(280)
  await sidebar(page).getByRole('button', { name: 'Sign Out' }).waitFor()

  // A screen without its own menu item marks the item to which it belongs.
  for (const [path, tab] of [
    ['bulk', 'Verify Certificate'],
    ['receipt?id=CVF0', 'Verification History'],
    ['profile', 'Profile Settings'],
  ] as const) {
    problems.expect(/^404 GET \/api\/verification\/check-verification-status\/CVF0/)
    await page.goto(`/dashboard/${path}`)
    await sidebar(page).locator('[aria-current]').waitFor()
    expect(await sidebar(page).locator('[aria-current]').allTextContents()).toEqual([tab])
  }

  await page.setViewportSize({ width: 767, height: 900 })
  await sidebar(page).waitFor({ state: 'hidden' })
  await button(page, 'Open menu').waitFor()
  await page.setViewportSize({ width: 768, height: 900 })
  await sidebar(page).waitFor()

  const clock = page.getByRole('banner').locator('time')
  const averageTickMs = await clock.evaluate(
    element =>
      new Promise<number>(resolve => {
        const times: number[] = []
        new MutationObserver(() => {
          times.push(performance.now())
          if (times.length === 4) resolve(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 3)
        }).observe(element, { attributes: true, attributeFilter: ['datetime'] })
      }),
  )
  // The clock must never run faster than this, but on a slow machine it may skip seconds.
  expect(averageTickMs).toBeGreaterThan(700)

  await button(page, /^Account of/).click()
  const signOut = page.getByRole('menuitem', { name: 'Sign Out' })
  await signOut.waitFor()
  const banner = page.getByRole('banner')
  const { firstname, lastname } = person.user
  await banner.getByText(`${firstname} ${lastname}`).last().waitFor()
  await banner.getByText(person.email).waitFor()
  await banner.getByText('User', { exact: true }).waitFor()
  await page.mouse.click(640, 700)
  await signOut.waitFor({ state: 'hidden' })
})

test.each([
  ['Administrator', admin],
  ['Super Administrator', () => logIn(personas.superAdmin.email, DEMO_PASSWORD)],
])(
  'dashboard shell: the badge shows %s, and staff start at the overview',
  { tags: ['SPEC-2.32', 'SPEC-2.37'] },
  async (label, logInAsStaff) => {
    const { page } = await visit({ as: await logInAsStaff() })
    await page.goto('/dashboard')
    await page.waitForURL('**/dashboard/overview')
    await button(page, /^Account of/).click()
    await page.getByRole('banner').getByText(label, { exact: true }).waitFor()
  },
)

test('dashboard shell: shows Access Denied if there is no current user, and Go to Login leads to the home page', {
  tags: ['SPEC-2.31'],
}, async () => {
  const { page, problems } = await visit({ as: await newUser() })
  problems.expect(/^404 GET \/api\/auth\/profile/)
  const { message } = errorCatalogue.USER_NOT_FOUND
  await failWith(page, '**/api/auth/profile', 404, { error: message, code: 'USER_NOT_FOUND' })
  await page.goto('/dashboard')
  await heading(page, 'Access Denied').waitFor()
  await page.getByText('Please log in to access the dashboard.').waitFor()
  await button(page, 'Go to Login').click()
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  expect(pathOf(page)).toBe('/')
})

test('overview: shows a welcome, figures, three shortcuts, a compact form and the statistics', {
  tags: ['SPEC-2.9', 'SPEC-2.28', 'SPEC-2.29', 'SPEC-9.11'],
}, async () => {
  const { page } = await visit({ as: await demoUser() })
  await page.goto('/dashboard/overview')
  await heading(page, `Welcome, ${personas.user.firstname}`).waitFor()
  const shortcuts = page.getByRole('list', { name: 'Shortcuts' }).getByRole('link')
  expect(await shortcuts.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
    '/dashboard/verify',
    '/dashboard/history',
    '/dashboard/profile',
  ])
  for (const name of ['Verify Certificate', 'View History', 'Update Profile']) {
    await shortcuts.filter({ hasText: name }).waitFor()
  }
  await numberField(page).waitFor()
  await heading(page, 'Your Verification Statistics').waitFor()
  const readFigure = (group: string, label: string) => stat(page, group, label).textContent()
  await poll(() => readFigure('Your verifications so far', 'Total verifications')).toMatch(/^\d+$/)
  const total = Number(await readFigure('Your verifications so far', 'Total verifications'))
  const [found, missing] = [await readFigure('Counts', 'Successful'), await readFigure('Counts', 'Not found')]
  expect(Number(found) + Number(missing)).toBe(total)
  const rate = Math.round((Number(found) / total) * 1000) / 10
  expect(await readFigure('Your verifications so far', 'Success rate')).toBe(`${rate}%`)
  const bar = page.getByRole('progressbar', { name: 'Success rate' })
  expect([await bar.getAttribute('value'), await bar.getAttribute('max')].map(Number)).toEqual([rate, 100])
  await page.getByText(rate >= 80 ? 'Excellent' : rate >= 60 ? 'Good' : 'Needs improvement').waitFor()
  await page.getByText('each on average').waitFor()
})

test('overview: the progress bar stops at 100 percent for any response', {
  tags: ['SPEC-9.11'],
}, async () => {
  const { page } = await visit({ as: await demoUser() })
  await page.route('**/api/verification/statistics', async route => {
    const response = await route.fetch()
    const { statistics } = await response.json()
    await route.fulfill({ response, json: { statistics: { ...statistics, success_rate: 140 } } })
  })
  await page.goto('/dashboard/overview')
  const bar = page.getByRole('progressbar', { name: 'Success rate' })
  await bar.waitFor()
  expect(await bar.evaluate((element: HTMLProgressElement) => [element.value, element.max])).toEqual([
    100, 100,
  ])
})

test('overview: shows skeletons while loading, a text without verifications, and a failure that can be dismissed', {
  tags: ['USABILITY-16', 'SPEC-2.28', 'SPEC-8.10'],
}, async () => {
  const { page, problems } = await visit({ as: await newUser() })
  const release = await holdBack(page, '**/api/verification/statistics')
  await page.goto('/dashboard/overview')
  await heading(page, 'Your Verification Statistics').waitFor()
  expect(await stat(page, 'Counts', 'Total').textContent()).not.toMatch(/\d/)
  release()
  await page.getByText('No verifications yet').waitFor()
  expect(await stat(page, 'Your verifications so far', 'Total verifications').textContent()).toBe('0')
  expect(await stat(page, 'Your verifications so far', 'Success rate').textContent()).toBe('–')

  problems.expect(/^503 GET \/api\/verification\/statistics/)
  await page.unrouteAll()
  await failWith(page, '**/api/verification/statistics', 503, busyError)
  await page.reload()
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to load dashboard statistics' })
  await alert.getByText(busyError.error).waitFor()
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await alert.waitFor({ state: 'hidden' })
})

test('history: when empty, offers to verify; a failure is reported and can be retried', {
  tags: ['USABILITY-16', 'SPEC-2.25', 'SPEC-8.8'],
}, async () => {
  const { page, problems } = await visit({ as: await newUser() })
  await page.goto('/dashboard/history')
  await page.getByText('No verifications yet').waitFor()
  expect(await page.getByRole('navigation', { name: 'Pages of the history' }).count()).toBe(0)
  problems.expect(/^503 GET \/api\/verification\/history/)
  await failWith(page, '**/api/verification/history**', 503, busyError)
  await page.reload()
  const alert = page.getByRole('alert')
  await alert.getByText('Failed to load verification history').waitFor()
  await alert.getByText(busyError.error).waitFor()
  // With this ID, support can find the request in the log.
  await alert.getByText('Reference: test').waitFor()
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await page.getByRole('main').getByRole('button', { name: 'Verify Certificate' }).click()
  await page.waitForURL('**/dashboard/verify')
})

test('history: has counters, ten rows a page, labels, Previous and Next', {
  tags: ['USABILITY-8', 'SPEC-2.25', 'SPEC-2.26', 'SPEC-3.8', 'SPEC-4.17', 'SPEC-9.4'],
}, async () => {
  const { page } = await visit({ as: await demoUser() })
  const historyRequest = page.waitForRequest('**/api/verification/history**')
  await page.goto('/dashboard/history')
  expect(new URL((await historyRequest).url()).search).toBe('?page=1&per_page=10')
  await heading(page, 'Verification History').waitFor()
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await poll(() => rows.count()).toBe(10)
  const table = page.getByRole('table', { name: 'Verifications' })
  expect(await table.locator('caption').textContent()).toBe('Verifications')
  const scopes = table.locator('thead th').evaluateAll(all => all.map(cell => cell.getAttribute('scope')))
  expect(new Set(await scopes)).toEqual(new Set(['col']))
  expect(await table.locator('tbody th[scope=row]').count()).toBe(10)
  const count = async (label: string) => Number(await stat(page, 'Your verifications', label).textContent())
  const [total, found, missing] = [await count('Total'), await count('Successful'), await count('Not found')]
  expect(total).toBe(found + missing)
  // The list also contains attempts that were not completed.
  const note = await page.getByText(/^completed, of \d+ attempts$/).innerText()
  const attempts = Number(/\d+/.exec(note))
  expect(attempts).toBeGreaterThan(total)
  const pages = Math.ceil(attempts / 10)
  await page.getByText(`Page 1 of ${pages}`).waitFor()
  expect(await button(page, 'Previous').isDisabled()).toBe(true)

  const labels = new Set<string>()
  for (let number = 1; number <= pages; number += 1) {
    await page.getByText(`Page ${number} of ${pages}`).waitFor()
    await poll(() => rows.count()).toBe(Math.min(10, attempts - (number - 1) * 10))
    for (const row of await rows.all()) {
      const label = /Payment Pending|Certificate Found|Certificate Not Found/.exec(await row.innerText())?.[0]
      expect(label).toBeDefined()
      labels.add(label ?? '')
      expect(await row.getByRole('button', { name: /^Print letter/ }).count()).toBe(
        label === 'Certificate Found' ? 1 : 0,
      )
    }
    if (number < pages) {
      const firstRow = await rows.first().innerText()
      await button(page, 'Next').click()
      await page.waitForURL(`**page=${number + 1}`)
      // The rows of the previous page are shown until the next ones arrive.
      await poll(() => rows.first().innerText()).not.toBe(firstRow)
    }
  }
  expect([...labels].sort()).toEqual(['Certificate Found', 'Certificate Not Found', 'Payment Pending'])
  expect(await button(page, 'Next').isDisabled()).toBe(true)
})

test('history: a row can be printed, and every printing failure is reported', {
  tags: ['SPEC-8.8'],
}, async () => {
  const { page, problems } = await visit({ as: await demoUser() })
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  const countPrintedMarks = () => page.locator('html[data-printed]').count()
  const printButton = () => page.getByRole('button', { name: /^Print letter/ }).first()
  const statusRoute = '**/api/verification/check-verification-status/**'
  const printFirstRow = async () => {
    await page.goto('/dashboard/history')
    await printButton().click()
  }

  problems.expect(/^503 GET \/api\/verification\/check-verification-status\//)
  await failWith(page, statusRoute, 503, busyError)
  await printFirstRow()
  await page.getByRole('alert').getByText('Failed to load verification template.').waitFor()
  await page.unrouteAll()

  await page.route(statusRoute, async route => {
    const response = await route.fetch()
    const reply: StatusReply = await response.json()
    await route.fulfill({ response, json: { ...reply, verification_template: null } })
  })
  await printFirstRow()
  await page
    .getByRole('alert')
    .getByText('Verification template not available for this certificate.')
    .waitFor()
  await page.unrouteAll()

  await page.route('**/api/verification/history**', async route => {
    const response = await route.fetch()
    const body = await response.json()
    const history = body.history.map((row: object) => ({ ...row, bpms_transaction_id: '' }))
    await route.fulfill({ response, json: { ...body, history } })
  })
  await printFirstRow()
  await page.getByRole('alert').getByText('Cannot print: Transaction ID not found').waitFor()
  await page.unrouteAll()
  expect(await countPrintedMarks()).toBe(0)

  await printFirstRow()
  await poll(countPrintedMarks).toBe(1)
})

test('profile: email cannot be changed, fields have rules, success shows for 3 s, and the stored user is updated', {
  tags: ['SPEC-2.27', 'SPEC-4.19', 'SPEC-5.7', 'SPEC-7.6', 'SPEC-8.9', 'SPEC-9.5'],
}, async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/profile')
  await poll(() => page.getByRole('tab').allTextContents()).toEqual([
    'Profile Information',
    'Change Password',
  ])
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const email = field('Email')
  expect(await email.inputValue()).toBe(person.email)
  expect(await email.getAttribute('readonly')).not.toBeNull()

  for (const label of ['First name', 'Last name', 'Phone number', 'Address']) await field(label).fill(' ')
  await button(page, 'Update Profile').click()
  for (const text of [
    'First name is required',
    'Last name is required',
    'Phone number is required',
    'Address is required',
  ]) {
    await page.getByText(text, { exact: true }).waitFor()
  }
  await field('First name').fill('Morẹ́nikẹ́')
  await poll(() => page.getByText('First name is required').count()).toBe(0)
  await field('Last name').fill('Adéyẹmí')
  await field('Phone number').fill('12')
  await field('Address').fill('Harmattan Press, 2 Marina Road, Lagos')
  await button(page, 'Update Profile').click()
  await page.getByText('Please enter a valid phone number').waitFor()
  await field('Phone number').fill('0803 555 0177')

  const updateRequest = page.waitForRequest(request => request.method() === 'PUT')
  const shown = measureTimeShown(page, '[role=status]', 'Profile updated successfully!', 3000)
  await button(page, 'Update Profile').click()
  expect(Object.keys((await updateRequest).postDataJSON()).sort()).toEqual([
    'address',
    'firstname',
    'lastname',
    'middlename',
    'phone',
  ])
  expect(await shown).toBe('on time')
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  expect(stored).toEqual({ ...person.user, firstname: 'Morẹ́nikẹ́', lastname: 'Adéyẹmí' })
  await button(page, 'Account of Morẹ́nikẹ́ Adéyẹmí').waitFor()
})

test('profile: input is kept after a visit to the other tab, but a password is not', async () => {
  const { page } = await visit({ as: await newUser() })
  await page.goto('/dashboard/profile')
  const phone = page.getByLabel('Phone number')
  await phone.fill('0803 555 0199')
  await page.getByRole('tab', { name: 'Change Password' }).click()
  const current = page.getByLabel('Current password', { exact: true })
  await current.fill('Secret12')
  await poll(() => phone.isVisible()).toBe(false)
  await page.getByRole('tab', { name: 'Profile Information' }).click()
  expect(await phone.inputValue()).toBe('0803 555 0199')
  await page.getByRole('tab', { name: 'Change Password' }).click()
  expect(await current.inputValue()).toBe('')
})

test('profile: after a failure, the server’s message is shown and the input is kept', {
  tags: ['SPEC-8.1', 'SPEC-8.9'],
}, async () => {
  const { page, problems } = await visit({ as: await newUser() })
  await page.goto('/dashboard/profile')
  await page.getByLabel('First name', { exact: true }).fill('Kẹ́hìndé')
  problems.expect(/^503 PUT \/api\/auth\/profile/)
  await page.route('**/api/auth/profile', route =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, json: { message: 'Said in message alone.', request_id: 'test' } })
      : route.continue(),
  )
  await button(page, 'Update Profile').click()
  await page.getByRole('alert').getByText('Said in message alone.').waitFor()
  expect(await page.getByLabel('First name', { exact: true }).inputValue()).toBe('Kẹ́hìndé')
})

test('profile: your data can be downloaded, and an erasure needs the password and can be revoked', {
  tags: ['DATA-17'],
}, async () => {
  const person = await newUser()
  const { page, problems } = await visit({ as: person })
  await page.goto('/dashboard/profile')
  const file = page.waitForEvent('download')
  await button(page, 'Download').click()
  const data = JSON.parse(await readFile(await (await file).path(), 'utf8'))
  expect((await file).suggestedFilename()).toMatch(/^my_data_\d{4}-\d{2}-\d{2}\.json$/)
  expect(data.profile.email).toBe(person.email)

  problems.expect(/^400 POST \/api\/account\/erasure/)
  await button(page, 'Erase account…').click()
  const dialog = page.getByRole('dialog', { name: 'Erase your account?' })
  await dialog.getByLabel('Current password').fill('Wrong1234')
  await dialog.getByRole('button', { name: 'Erase in 7 days' }).click()
  await dialog.getByText('Your current password is not correct.').waitFor()
  await dialog.getByLabel('Current password').fill(person.password)
  await dialog.getByRole('button', { name: 'Erase in 7 days' }).click()
  await page.getByText(/^Your account will be erased on /).waitFor()
  await page.reload()
  await button(page, 'Keep my account').click()
  await button(page, 'Erase account…').waitFor()
})

test('change password: reports broken rules and a wrong current password, and on success clears all three fields', {
  tags: ['SPEC-4.19', 'SPEC-5.8', 'SPEC-7.7', 'SPEC-8.9'],
}, async () => {
  const person = await newUser()
  const { page, problems } = await visit({ as: person })
  await page.goto('/dashboard/profile')
  await page.getByRole('tab', { name: 'Change Password' }).click()
  const fields = ['Current password', 'New password', 'Confirm new password']
  const [current, next, confirmation] = ['Current password', 'New password', 'Confirm new password'].map(
    label => page.getByLabel(label, { exact: true }),
  )
  if (!current || !next || !confirmation) throw new Error('a password field is missing')
  await button(page, 'Change Password').click()
  for (const text of [
    'Current password is required',
    'New password is required',
    'Please confirm your new password',
  ]) {
    await page.getByText(text, { exact: true }).waitFor()
  }
  await current.fill('Wrong1234')
  expect(await page.getByText('Current password is required').count()).toBe(0)
  await next.fill('abcdefgh1')
  await confirmation.fill('abcdefgh2')
  await button(page, 'Change Password').click()
  await page.getByText('Password must contain at least one uppercase letter').waitFor()
  await page.getByText('Passwords do not match').waitFor()
  await next.fill('Changed9876')
  await confirmation.fill('Changed9876')
  problems.expect(/^400 POST \/api\/auth\/change-password/)
  await button(page, 'Change Password').click()
  await page.getByText(errorCatalogue.INVALID_CURRENT_PASSWORD.message).waitFor()
  expect(await next.inputValue()).toBe('Changed9876')

  await current.fill(person.password)
  const changeRequest = page.waitForRequest('**/api/auth/change-password')
  await button(page, 'Change Password').click()
  await page.getByText('Password changed successfully!').waitFor()
  expect(Object.keys((await changeRequest).postDataJSON()).sort()).toEqual([
    'current_password',
    'new_password',
  ])
  for (const label of fields) {
    await poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe('')
  }
  expect((await logIn(person.email, 'Changed9876')).token).not.toBe('')
})

test('verify flow: each step has the specified content before a card is charged', {
  tags: [
    'USABILITY-11',
    'USABILITY-12',
    'SPEC-2.13',
    'SPEC-2.14',
    'SPEC-2.15',
    'SPEC-2.16',
    'SPEC-2.17',
    'SPEC-2.20',
    'SPEC-4.6',
    'SPEC-4.9',
    'SPEC-4.10',
    'SPEC-5.6',
    'SPEC-9.2',
  ],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/verify')
  const field = numberField(page)
  expect(await field.getAttribute('placeholder')).toMatch(/^[A-Z]{2}\/[\d/]+$/)
  await page.getByText('Enter it exactly as printed on the certificate.').waitFor()
  for (const [term, value] of [
    ['Verification fee', '₦5,000.00'],
    ['Processing time', 'Instant'],
    ['Payment method', 'Card'],
    ['Official letter', 'Printable PDF'],
  ] as const) {
    await poll(() => readFact(page, term)).toBe(value)
  }
  expect(await button(page, 'Verify Certificate').isDisabled()).toBe(true)
  await field.fill('   ')
  expect(await button(page, 'Verify Certificate').isDisabled()).toBe(true)
  await field.press('Enter')
  await page.getByText('Please enter a certificate number.').waitFor()
  await field.fill('x 1')
  expect(await field.inputValue()).toBe('X 1')
  await field.press('Enter')
  await page.getByText('Please enter a valid certificate number.').waitFor()

  await goToPayment(page, number)
  await page.getByText('₦5,000.00').waitFor()
  expect(await readFact(page, 'Accepted methods')).toMatch(/cards/)
  await button(page, 'Edit Number').click()
  expect(await numberField(page).inputValue()).toBe(number)
  await button(page, 'Verify Certificate').click()
  await heading(page, 'Is this the certificate?').waitFor()
  expect(await readFact(page, 'Verification fee')).toBe('₦5,000.00')
  expect(await readFact(page, 'You receive')).toMatch(/official verification letter/)
  await button(page, 'Proceed to Payment').click()

  const popup = await openGateway(page)
  expect(await popup.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([800, 600])
  const stages = page.getByRole('list', { name: 'Progress' }).getByRole('listitem')
  const stageTexts = (await stages.allTextContents()).map(text =>
    text.replace(/(Done|In progress|Waiting).*/s, ' $1'),
  )
  expect(stageTexts).toEqual([
    'Certificate Found Done',
    'Payment Processing In progress',
    'Verification Complete Waiting',
  ])
  const steps = page.getByRole('navigation', { name: 'Verification steps' }).getByRole('listitem')
  expect((await steps.allTextContents()).map(text => text.replace(/^\d/, ''))).toEqual([
    'Number, completed',
    'Confirm, completed',
    'Payment, not completed yet',
    'Processing, current',
    'Result, to come',
  ])
  // Both show the deadline in the same format, but the gateway uses its own time zone.
  const deadline = /^\d{1,2}:\d\d [AP]M [A-Z]\S*$/
  expect(await readFact(page, 'Pay before')).toMatch(deadline)
  expect(await popup.locator('time').textContent()).toMatch(deadline)
  for (const tip of [
    /Finish the payment in the popup window/,
    /blocked the popup/,
    /Paid, but still pending\?/,
  ]) {
    await page.getByRole('listitem').filter({ hasText: tip }).waitFor()
  }
  await button(page, 'Check Payment Status').click()
  const pending = page.getByText('Payment still pending. Please complete the payment.')
  await pending.waitFor()
  await button(page, 'Dismiss').click()
  await pending.waitFor({ state: 'hidden' })

  // The stored state of the payment is removed, and the window closed.
  const closed = popup.waitForEvent('close')
  const countStoredPayments = () =>
    page.evaluate(() => Object.keys(localStorage).filter(key => key.includes('payment')).length)
  expect(await countStoredPayments()).toBe(1)
  await button(page, 'Verify Another Certificate').click()
  await closed
  expect(await countStoredPayments()).toBe(0)
  expect(await numberField(page).inputValue()).toBe('')
})
