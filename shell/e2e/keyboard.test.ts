import { DEMO_PASSWORD } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { poll, visit, withChromium } from './support/browser.ts'
import { cards, heading, letterShown } from './support/job.ts'
import { certificate, newUser } from './support/portal.ts'

withChromium()

/** Tab stops before a page counts as one that the keyboard cannot get through. */
const MOST_STOPS = 60

interface Focus {
  role: string
  name: string
  /** An outline, ring or shadow shows where the focus is. */
  visible: boolean
}

/** What has the focus, by the name that a screen reader would say. */
function focus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return { role: '', name: '', visible: false }
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
    const name = element.ariaLabel ?? labels[0]?.textContent ?? element.textContent ?? ''
    const style = getComputedStyle(element)
    const outlined = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
    const role = element.role ?? element.localName
    return { role, name: name.trim(), visible: outlined || style.boxShadow !== 'none' }
  })
}

/** Tabs on until a control of this name has the focus; every stop on the way must show where it is. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const stops: string[] = []
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab')
    const here = await focus(page)
    stops.push(here.name.slice(0, 40))
    if (here.role !== 'body') expect(here.visible, `the focus on “${here.name}” shows`).toBe(true)
    if (typeof name === 'string' ? here.name === name : name.test(here.name)) return
  }
  throw new Error(`no tab stop ${name} among: ${stops.join(' | ')}`)
}

test('the main job with the keyboard alone, the focus visible all the way', async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), certificate()])
  const { page } = await visit()
  await page.goto('/')
  await heading(page, 'Is this degree certificate on the register?').waitFor()

  await tabTo(page, 'Login')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Login to Your Account' })
  const email = dialog.getByLabel('Email', { exact: true })
  await poll(() => email.evaluate(field => field === document.activeElement)).toBe(true)
  await page.keyboard.type(person.email)
  await tabTo(page, 'Password')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/verify')

  await heading(page, 'Which certificate?').waitFor()
  await tabTo(page, 'Skip to main content')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Certificate number')
  await page.keyboard.type(number.toLowerCase())
  await page.keyboard.press('Enter')
  await heading(page, 'Is this the certificate?').waitFor()
  await tabTo(page, 'Proceed to Payment')
  await page.keyboard.press('Enter')
  await heading(page, 'Pay the verification fee').waitFor()
  await tabTo(page, 'Open Secure Payment Gateway')
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])

  // The card page puts the focus into its first field.
  await heading(popup, 'Pay by card').waitFor()
  await popup.keyboard.type(cards.approved)
  await popup.keyboard.press('Tab')
  await popup.keyboard.type('12/39')
  await popup.keyboard.press('Tab')
  await popup.keyboard.type('123')
  await popup.keyboard.press('Enter')
  await heading(popup, 'Payment successful').waitFor()
  const closed = popup.waitForEvent('close')
  await popup.keyboard.press('Enter')
  await closed

  await letterShown(page)
  await tabTo(page, 'Print Letter')
  await tabTo(page, 'Verify Another Certificate')
  await page.keyboard.press('Enter')
  await heading(page, 'Which certificate?').waitFor()
})

test('a dialog keeps the focus, and Escape gives it back', async () => {
  const { page } = await visit()
  await page.goto('/')
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  await tabTo(page, 'Get Started')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create Your Account' })
  await dialog.waitFor()
  for (let stop = 0; stop < 24; stop += 1) {
    await page.keyboard.press('Tab')
    const inside = await page.evaluate(
      () => document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
    )
    expect(inside).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await poll(async () => (await focus(page)).name).toBe('Get Started')
})
