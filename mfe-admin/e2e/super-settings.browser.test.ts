import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations, measureOverflow, setUpScreens } from './screens.ts'

/* Tests Super Admin Settings and the fee history, standalone on the mocks. */

const { open, getPath } = setUpScreens()

const sectionPath = (name: string) => `/dashboard/super-settings${name && `?section=${name}`}`
const openSettings = (name = '', overrides: Parameters<typeof open>[1] = {}) =>
  open(sectionPath(name), { as: 'super@demo.test', ...overrides })
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const waitForText = (within: Page | Locator, text: string) =>
  within.getByText(text, { exact: true }).waitFor()
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const confirmDialog = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })

/** An image that is as small as possible. */
const pixelImage = {
  name: 'stamp.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8Dwn4EIwDiqkL4KAQBEzgMB4U9HHgAAAABJRU5ErkJggg==',
    'base64',
  ),
}

describe('the institution', () => {
  test('saves the profile and colour, and shows errors at the fields', async () => {
    const page = await openSettings()
    const name = field(page, 'Institution name')
    await name.fill('')
    await page.getByLabel('Support phone, line 2').fill('12')
    await page.getByLabel(/^Accent colour/).fill('green')
    await button(page, 'Save changes').click()
    await waitForText(page, 'Institution name is required')
    await waitForText(page, 'Please enter a valid phone number')
    await waitForText(page, 'Please enter a colour as #RRGGBB, for example #0E5B3F.')
    expect(await name.evaluate(input => input === document.activeElement)).toBe(true)

    await name.fill('University of New Hope')
    await page.getByLabel('Support phone, line 2').fill('')
    await page.getByLabel(/^Accent colour/).fill('#7A1F3D')
    await waitForText(page, 'You have unsaved changes.')
    // The colour is previewed before it is saved, including its contrast in both themes.
    await page.getByText(/^Light #7/).waitFor()
    await button(page, 'Save changes').click()
    await waitForText(page, 'Institution profile saved.')
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).getPropertyValue('--brand').trim() === '#7a1f3d',
    )
    await page.reload()
    await page.waitForFunction(() => document.querySelectorAll('input[name="name"]').length > 0)
    expect(await name.inputValue()).toBe('University of New Hope')
    expect(await page.getByLabel('Support phone, line 2').inputValue()).toBe('')
  })

  test('makes any colour readable: yellow is darkened for the light theme', async () => {
    const page = await openSettings()
    await page.getByLabel(/^Accent colour/).fill('#ffdd00')
    const contrastTexts = page.getByText(/^Contrast /)
    await page.getByText('Light #', { exact: false }).waitFor()
    for (const text of await contrastTexts.allTextContents())
      expect(Number(/[\d.]+/.exec(text)?.[0])).toBeGreaterThan(4.5)
    expect(await page.getByText(/^Light #/).textContent()).not.toContain('#ffdd00')
  })
})

describe('the letter', () => {
  test('previews the letter while typing, and reports unknown placeholders', {
    tags: ['STAFF-13'],
  }, async () => {
    const page = await openSettings('letter')
    const letter = page.getByRole('region', { name: 'Letter preview' })
    const subject = field(page, 'Subject')
    await subject.fill('RE: {STUDENT}, {course}')
    await waitForText(letter, 'RE: SPECIMEN GRADUATE, Bachelor of Specimens')
    await page.getByLabel('Thanks', { exact: true }).fill('Thank you, {name}.')
    await button(page, 'Save changes').click()
    await page.getByText('{name} is not a known placeholder.', { exact: false }).waitFor()

    await button(page, 'Restore default').click()
    await waitForText(letter, 'VERIFICATION OF CERTIFICATE: SPECIMEN GRADUATE (XX/0000/00000)')
    await subject.fill('About {student}')
    await field(page, 'Opening').fill('We were asked.')
    await button(page, 'Save changes').click()
    await waitForText(page, 'The letter must name the certificate: please use {number}.')
    await field(page, 'Opening').fill('We were asked about {number}.')
    await field(page, 'Name').fill('Prof. Adébáyọ̀ Ọláṣẹ́ńí')
    await button(page, 'Save changes').click()
    await waitForText(page, 'Letter template saved.')
    await page.reload()
    await waitForText(letter, 'Prof. Adébáyọ̀ Ọláṣẹ́ńí')
    expect(await subject.inputValue()).toBe('About {student}')

    await button(letter, 'Enlarge').click()
    await waitForText(page.getByRole('dialog', { name: 'Letter preview' }), 'About Specimen Graduate')
  })
})

describe('signature and stamp', () => {
  test('shows a preview of an image, uploads it, and removes it after confirmation', {
    tags: ['STAFF-14'],
  }, async () => {
    const page = await openSettings('images')
    const letter = page.getByRole('region', { name: 'Letter preview' })
    const printedStamp = letter.getByRole('img', { name: 'Official stamp' })
    const previousSrc = await printedStamp.getAttribute('src')
    await page.getByLabel('Stamp file').setInputFiles(pixelImage)
    await page.getByRole('img', { name: 'New stamp, not uploaded yet' }).waitFor()
    expect(await printedStamp.getAttribute('src')).toBe(previousSrc)
    await button(page, 'Upload stamp').click()
    await waitForText(page, 'Stamp saved.')
    await expect.poll(() => printedStamp.getAttribute('src')).not.toBe(previousSrc)

    await button(page, 'Remove stamp').click()
    const confirmation = page.getByRole('alertdialog', { name: 'Remove the stamp?' })
    await button(confirmation, 'Cancel').click()
    await button(page, 'Remove stamp').click()
    await button(confirmation, 'Remove').click()
    await waitForText(page, 'Stamp removed.')
    await waitForText(letter, 'OFFICIAL STAMP')
  })

  test('rejects invalid images in the browser and on the server', async () => {
    const page = await openSettings('images')
    const input = page.getByLabel('Signature file')
    await input.setInputFiles({
      name: 'signature.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF'),
    })
    await waitForText(page, 'Please choose a PNG or JPEG image.')
    await input.setInputFiles({
      ...pixelImage,
      buffer: Buffer.concat([pixelImage.buffer, Buffer.alloc(200_000)]),
    })
    await waitForText(page, 'This image is too large: please choose one of at most 200 kB.')
    await input.setInputFiles({ ...pixelImage, buffer: Buffer.from('PK renamed') })
    await button(page, 'Upload signature').click()
    await page.getByRole('alert').getByText('Please choose a PNG or JPEG image.').waitFor()
    await button(page, 'Cancel').click()
    await page.getByRole('img', { name: 'Current signature' }).waitFor()
  })
})

test('saves the policies', async () => {
  const page = await openSettings('policies')
  await page.getByLabel('Report after payment').check()
  await page.getByLabel('Show only the payment').check()
  await button(page, 'Discard changes').click()
  expect(await page.getByLabel('Report before payment').isChecked()).toBe(true)
  await page.getByLabel('Show only the payment').check()
  await button(page, 'Save changes').click()
  await waitForText(page, 'Policies saved.')
  await page.reload()
  await page.getByLabel('Show only the payment').waitFor()
  expect(await page.getByLabel('Show only the payment').isChecked()).toBe(true)
  expect(await page.getByLabel('Report before payment').isChecked()).toBe(true)
})

describe('unsaved changes', () => {
  test('require confirmation before the user changes section, follows a link, goes back or reloads', async () => {
    const page = await openSettings()
    await page.getByRole('link', { name: 'Manage Admins' }).click()
    await page.getByRole('heading', { level: 1, name: 'Manage Admins' }).waitFor()
    await page.getByRole('link', { name: 'Super Admin Settings' }).click()
    await field(page, 'Institution name').fill('Half a name')

    await page.getByRole('tab', { name: 'Policies' }).click()
    await button(confirmDialog(page), 'Keep editing').click()
    await page.getByRole('link', { name: 'Activity Logs' }).click()
    await button(confirmDialog(page), 'Keep editing').click()
    await page.evaluate(() => history.back())
    await button(confirmDialog(page), 'Keep editing').click()
    expect(getPath(page)).toBe('/dashboard/super-settings')
    expect(await field(page, 'Institution name').inputValue()).toBe('Half a name')
    const dialogOpened = page.waitForEvent('dialog')
    // page.reload() is not used, because it waits for the new page, which the dialog prevents.
    await page.evaluate(() => setTimeout(() => location.reload()))
    const dialog = await dialogOpened
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()

    await page.evaluate(() => history.back())
    await button(confirmDialog(page), 'Leave').click()
    await page.getByRole('heading', { level: 1, name: 'Manage Admins' }).waitFor()
    expect(getPath(page)).toBe('/dashboard/admins')
  })

  test('cause no further confirmation after the user has left the section without saving', async () => {
    const page = await openSettings('policies')
    await page.getByLabel('Report after payment').check()
    await page.getByRole('tab', { name: 'Institution' }).click()
    await button(confirmDialog(page), 'Leave').click()
    await field(page, 'Institution name').waitFor()
    await page.getByRole('link', { name: 'Manage Admins' }).click()
    await page.getByRole('heading', { level: 1, name: 'Manage Admins' }).waitFor()
  })
})

test('lets the user retry loading settings after a failure', async () => {
  const page = await openSettings('', { refuse: ['/admin/settings/institution'] })
  await waitForText(page, 'The settings could not be loaded')
  await page.getByText('Not today.').waitFor()
  await page.evaluate(() => {
    window.fetch = () =>
      Promise.resolve(Response.json({ error: 'Still not available.', code: 'NOT_FOUND' }, { status: 404 }))
  })
  await button(page, 'Try again').click()
  await page.getByText('Still not available.').waitFor()
})

test('adds an entry to the fee history when the fee changes', {
  tags: ['STAFF-11'],
}, async () => {
  const page = await open('/dashboard/settings')
  const rows = page.getByRole('region', { name: 'Fee changes' }).getByRole('row')
  await page.getByRole('cell', { name: 'super@demo.test' }).waitFor()
  expect(await rows.count()).toBe(3)
  await page.getByLabel('Verification fee (NGN)').fill('5750.5')
  await button(page, 'Update fee').click()
  await page.getByRole('cell', { name: '₦5,750.50' }).waitFor()
  expect(await rows.nth(1).textContent()).toContain('admin@demo.test')
  expect(await rows.nth(1).textContent()).toContain('₦5,000.00')
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 768, 1280]) {
    test(`axe finds no violations at ${width} px in ${colorScheme}`, async () => {
      const page = await openSettings('', { context: { viewport: { width, height: 900 }, colorScheme } })
      const expectAccessible = async (screen: string) => {
        expect(await findViolations(page), screen).toEqual([])
        expect(await measureOverflow(page), screen).toBeLessThanOrEqual(0)
      }
      await field(page, 'Institution name').fill('')
      await button(page, 'Save changes').click()
      await waitForText(page, 'Institution name is required')
      await expectAccessible('institution')
      await button(page, 'Discard changes').click()
      for (const [tab, expectedText] of [
        ['Letter', 'VERIFICATION OF CERTIFICATE: SPECIMEN GRADUATE (XX/0000/00000)'],
        ['Signature and stamp', 'Remove stamp'],
        ['Policies', 'Report after payment'],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click()
        await waitForText(page, expectedText)
        await expectAccessible(tab)
      }
      await page.getByLabel('Report after payment').check()
      await page.getByRole('tab', { name: 'Letter' }).click()
      await confirmDialog(page).waitFor()
      await expectAccessible('confirmation dialog')
      await button(confirmDialog(page), 'Leave').click()
      await button(page, 'Enlarge').click()
      await page.getByRole('dialog').waitFor()
      await expectAccessible('enlarged letter')
      await page.goto(page.url().replace('/super-settings', '/settings'))
      await page.getByRole('cell', { name: 'super@demo.test' }).waitFor()
      await expectAccessible('fee settings')
    })
  }
}
