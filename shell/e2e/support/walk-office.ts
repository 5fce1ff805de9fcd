import { demoOrganisation } from '@portal/fixtures/organisations'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Locator, Page } from 'playwright-core'
import { request } from '../../../edge-api/test/portal.ts'
import { button } from './verify-flow.ts'
import { logInAs, logOut, type Walk } from './walk.ts'
import { openScreen } from './walk-staff.ts'

/* Walks through the staff screens for payments, organisations and work on the register. */

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

const cancelButton = (dialog: Locator) => dialog.getByRole('button', { name: 'Cancel' })

/** Opens the dialog of a button, calls `inspect` once it has loaded, and closes it. */
async function walkDialog(
  { page, inspect }: Walk,
  name: string | RegExp,
  screen: string,
  loadedPart: (dialog: Locator) => Locator = cancelButton,
): Promise<void> {
  await button(page, name).first().click()
  await loadedPart(page.getByRole('dialog')).waitFor()
  await inspect(screen, page)
  await closeDialog(page)
}

/** Walks through settlements, disputes, organisations, register jobs and changes, one certificate and one account. */
export async function walkOffice(walk: Walk): Promise<void> {
  const { page, portal, inspect } = walk
  const token = await logInAs(page, portal, personas.superAdmin.email, DEMO_PASSWORD)
  await openScreen(page, 'settlements')
  await inspect('settlements', page)
  await walkDialog(walk, /^(Explain|Change the note)/, 'settlements-explain')
  await walkDialog(walk, 'Upload report', 'settlements-upload')
  await page.getByRole('tab', { name: 'Settlements' }).click()
  await page.waitForLoadState('networkidle')
  await inspect('settlements-list', page)
  await walkDialog(walk, /^Settlement .*lines$/, 'settlement', drawer =>
    drawer.getByRole('table', { name: 'Lines' }),
  )

  await openScreen(page, 'disputes')
  await inspect('disputes', page)
  await walkDialog(walk, 'Add dispute', 'dispute-add')
  await button(page, /^Dispute of .*details$/)
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: 'Dispute' })
  await drawer.getByRole('button', { name: 'Download evidence (PDF)' }).waitFor()
  await inspect('dispute', page)
  const contest = drawer.getByRole('button', { name: 'Contest' })
  if (await contest.isVisible()) {
    await contest.click()
    await page.getByRole('dialog', { name: 'Contest this dispute?' }).waitFor()
    await inspect('dispute-contest', page)
  }

  const { body } = await request('GET', '/admin/organisations', { token, portal })
  const organisations: { id: string; name: string }[] = body.organisations
  const { id = '' } = organisations.find(({ name }) => name === demoOrganisation.name) ?? {}
  await openScreen(page, 'organisations')
  await inspect('office-organisations', page)
  await openScreen(page, `organisations/${id}`)
  await page.getByRole('tab', { name: 'Members' }).waitFor()
  await inspect('office-organisation', page)
  for (const name of ['Suspend', 'Pay Out', 'Credit Bank Transfer'])
    await walkDialog(walk, name, `office-${name.toLowerCase().replaceAll(' ', '-')}`)
  await walkDialog(walk, /^Refund /, 'office-refund-charge')
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Remove Vetting' }).waitFor()
  await inspect('office-organisation-menu', page)
  await page.getByRole('menuitem', { name: 'Remove Vetting' }).click()
  await page.getByRole('alertdialog').waitFor()
  await inspect('office-remove-vetting', page)
  await page.keyboard.press('Escape')
  for (const name of ['Members', 'Open invoices', 'Activity']) {
    await page.getByRole('tab', { name }).click()
    await page.waitForLoadState('networkidle')
    await inspect(`office-organisation-${name.toLowerCase().replaceAll(' ', '-')}`, page)
  }

  for (const tab of ['background-work', 'register-jobs', 'register-changes', 'security']) {
    await openScreen(page, tab)
    await inspect(`office-${tab}`, page)
  }
  const { certificates } = (await request('GET', '/admin/certificates', { token, portal })).body
  for (const tab of ['details', 'history', 'letters', 'verifications']) {
    await openScreen(page, `certificates/${certificates[0].id}?tab=${tab}`)
    await inspect(`office-certificate-${tab}`, page)
  }
  for (const tab of ['verifications', 'organisations', 'history', 'activity']) {
    await openScreen(page, `users/${personas.longNames.id}?tab=${tab}`)
    await inspect(`office-account-${tab}`, page)
  }
  await logOut(page)
}
