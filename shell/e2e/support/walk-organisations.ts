import { makeUser } from '@portal/fixtures/factories'
import { demoOrganisation } from '@portal/fixtures/organisations'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { newAccount, request, waitForMailedToken } from '../../../edge-api/test/portal.ts'
import { button, heading } from './verify-flow.ts'
import { logInAs, logOut, type Walk } from './walk.ts'

/* Walks through the screens of an organisation, for its owner and for someone who was invited. */

const dialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await dialog(page, /./).waitFor({ state: 'hidden' })
}

/** Walks through every section of the demo's organisation, with its dialogs. */
export async function walkOrganisations({ page, portal, inspect }: Walk): Promise<void> {
  const token = await logInAs(page, portal, personas.employer.email, DEMO_PASSWORD)
  const { body } = await request('GET', '/organisations', { token, portal })
  const { id, name } = body.organisations[0]
  const invitee = makeUser()
  await request('POST', `/organisations/${id}/invitations`, {
    token,
    body: { email: invitee.email, role: 'member' },
    portal,
  })
  const openSection = async (section: string) => {
    await page.goto(`/dashboard/organisations/${id}${section}`)
    await page.getByRole('navigation', { name }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  const openTab = async (label: string) => {
    await page.getByRole('tab', { name: label }).click()
    await page.waitForLoadState('networkidle')
  }

  await page.goto('/dashboard/organisations')
  await page.getByRole('table', { name: 'Your organisations' }).waitFor()
  await inspect('organisations', page)
  await button(page, 'Create an Organisation').click()
  await dialog(page, 'Create an Organisation').getByLabel('City').waitFor()
  await inspect('organisation-create', page)

  for (const section of ['', '/history', '/members', '/batches', '/billing', '/settings']) {
    await openSection(section)
    await inspect(`organisation${section.replace('/', '-') || '-home'}`, page)
  }
  await openSection('/history')
  await page.getByRole('table').getByRole('link').first().click()
  await heading(page, 'Certificate verified').or(heading(page, 'Certificate not found')).first().waitFor()
  await page.waitForLoadState('networkidle')
  await inspect('organisation-verification', page)
  await openSection('/batches')
  await page.getByRole('textbox', { name: 'Certificate numbers' }).fill('UG/2019/00123\nUG/1901/00001\nx')
  await page.getByText('will be held.').waitFor()
  await inspect('organisation-batch-checked', page)
  await page.getByRole('table', { name: 'Batches' }).getByRole('link').first().click()
  await page.getByRole('rowheader').first().waitFor()
  await inspect('organisation-batch', page)

  await openSection('/members')
  await button(page, 'Invite').click()
  await dialog(page, 'Invite a Member').getByLabel('Email address').waitFor()
  await inspect('organisation-invite', page)
  await closeDialog(page)
  await button(page, /^Remove /)
    .first()
    .click()
  await dialog(page, /^Remove /).waitFor()
  await inspect('organisation-remove-member', page)

  await openSection('/billing')
  await openTab('Invoices')
  await inspect('organisation-invoices', page)
  await button(page, 'Create Invoice').click()
  await dialog(page, 'Create Invoice').getByLabel('Amount in naira').waitFor()
  await inspect('organisation-create-invoice', page)
  await closeDialog(page)
  await openTab('Statements')
  await inspect('organisation-statements', page)
  await page.getByRole('table', { name: 'Statements' }).getByRole('link').first().click()
  await button(page, 'Download PDF').waitFor()
  await page.getByRole('rowheader').first().waitFor()
  await inspect('organisation-statement', page)
  await openSection('/billing?dialog=topup')
  await dialog(page, 'Top Up').getByLabel('Amount in naira').waitFor()
  await inspect('organisation-top-up', page)

  await walkDevelopers({ page, portal, inspect }, openSection, openTab)
  await logOut(page)

  await page.goto(`/invitations/${await waitForMailedToken('invitations', invitee.email, portal)}`)
  await heading(page, `Join ${name}`).waitFor()
  await inspect('invitation', page)
  await newAccount(invitee, portal)
  const link = new URL(page.url()).pathname
  const inviteeToken = await logInAs(page, portal, invitee.email, invitee.password)
  await page.goto('/dashboard/organisations')
  await button(page, `Accept the invitation to ${name}`).waitFor()
  await inspect('organisations-invited', page)
  await page.goto(link)
  await button(page, 'Decline').waitFor()
  await inspect('invitation-signed-in', page)
  await button(page, 'Decline').click()
  await page
    .getByText('This invitation was declined.')
    .or(heading(page, 'Invitation declined'))
    .first()
    .waitFor()
  await inspect('invitation-declined', page)
  await walkClosing({ page, portal, inspect }, inviteeToken)
  await logOut(page)
}

/** Walks through a new, empty organisation that is about to be closed. */
async function walkClosing({ page, portal, inspect }: Walk, token: string): Promise<void> {
  const response = await request('POST', '/organisations', {
    token,
    body: { ...demoOrganisation, name: 'Adire Staffing Limited' },
    portal,
  })
  const { id } = response.body.organisation
  for (const section of ['', '/history', '/batches', '/billing']) {
    await page.goto(`/dashboard/organisations/${id}${section}`)
    await page
      .getByText(/^No .* yet\.?$/)
      .first()
      .waitFor()
    await inspect(`organisation-empty${section.replace('/', '-')}`, page)
  }
  await page.goto(`/dashboard/organisations/${id}/settings`)
  await button(page, 'Close Organisation').click()
  await dialog(page, /^Close /).waitFor()
  await inspect('organisation-close', page)
}

/** Walks through keys, webhooks, events and test mode. */
async function walkDevelopers(
  { page, inspect }: Walk,
  openSection: (section: string) => Promise<void>,
  openTab: (label: string) => Promise<void>,
): Promise<void> {
  await openSection('/developers')
  await inspect('developers', page)
  await button(page, 'Create API Key').click()
  const create = dialog(page, 'Create an API Key')
  await create.getByLabel('Name').waitFor()
  await inspect('developers-key', page)
  await create.getByRole('button', { name: 'Create Key' }).click()
  await create.locator('[aria-invalid="true"]').first().waitFor()
  await inspect('developers-key-errors', page)
  await create.getByLabel('Name').fill('Applicant tracking')
  await create.getByRole('button', { name: 'Create Key' }).click()
  await page.getByText('Copy this key now. It will not be shown again.').waitFor()
  await inspect('developers-key-created', page)
  await button(page, 'Done').click()
  await button(page, 'Rotate Applicant tracking').click()
  await dialog(page, 'Rotate Applicant tracking').waitFor()
  await inspect('developers-rotate', page)
  await closeDialog(page)
  await openTab('Webhooks')
  await inspect('developers-webhooks', page)
  await button(page, /^Actions for/)
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await inspect('developers-endpoint-menu', page)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog(page, 'Edit Endpoint').getByLabel('URL').waitFor()
  await inspect('developers-endpoint', page)
  await closeDialog(page)
  await openTab('Events')
  await inspect('developers-events', page)
  await button(page, /^Deliveries of/)
    .first()
    .click()
  await page.getByRole('dialog').locator('pre').first().waitFor()
  await inspect('developers-event', page)
  await closeDialog(page)
  await openTab('Test mode')
  await inspect('developers-test-mode', page)
}
