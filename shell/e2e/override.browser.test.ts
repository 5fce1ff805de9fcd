import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkingCopy, type RunningScript, type WorkingCopy } from '../../tools/generate/test-copy.ts'
import { visit, withChromium } from './support/browser.ts'
import { admin, ownPortal } from './support/portal.ts'
import { heading } from './support/verify-flow.ts'

/* Tests a developer's micro-frontend in a portal that runs released builds: `npm run dev` runs in a copy of the
   checkout, which the test edits. */

withChromium()
const isolatedPortal = ownPortal({ FRONT_END_OVERRIDES: 'loopback' })
let copy: WorkingCopy
let server: RunningScript
beforeAll(async () => {
  copy = await createWorkingCopy()
  server = await copy.standalone('mfe-admin', '--portal', isolatedPortal.current.url)
})
afterAll(async () => {
  await server?.stop()
  await copy?.remove()
})

const LOGS_DESCRIPTION = 'Your own activity, and that of ordinary users and the system.'

test('staff see their own micro-frontend in a running portal, with hot reload, until they end the override', async () => {
  const portal = isolatedPortal.current
  const staff = await admin(portal)
  const { page } = await visit({ as: staff, portal })
  await page.goto(`/overrides?${new URLSearchParams({ name: 'mfe-admin', origin: server.url })}`)
  const manifestRequest = page.waitForRequest(`${server.url}/mf-manifest.json`)
  await page.getByRole('button', { name: 'Override in this browser' }).click()
  await manifestRequest
  await page.goto('/dashboard/logs')
  await page.getByText(LOGS_DESCRIPTION).waitFor()
  const badge = page.getByRole('complementary', { name: 'Override' })
  expect(await badge.textContent()).toContain(`mfe-admin comes from ${server.url}`)

  // The marker and the typed text remain, which shows that the page was not reloaded.
  await page.evaluate(() => Object.assign(window, { marker: true }))
  const search = page.getByRole('searchbox').first()
  await search.fill('kept while editing')
  const file = copy.pathOf('mfe-admin/src/features/logs/page.tsx')
  await writeFile(file, (await readFile(file, 'utf8')).replace(LOGS_DESCRIPTION, 'Edited by a developer.'))
  await page.getByText('Edited by a developer.').waitFor()
  expect(await search.inputValue()).toBe('kept while editing')
  expect(await page.evaluate(() => 'marker' in window)).toBe(true)

  const otherBrowser = await visit({ as: staff, portal })
  await otherBrowser.page.goto('/dashboard/logs')
  await otherBrowser.page.getByText(LOGS_DESCRIPTION).waitFor()
  expect(await otherBrowser.page.getByRole('complementary', { name: 'Override' }).count()).toBe(0)

  await badge.getByRole('link', { name: 'End the override' }).click()
  await page.waitForURL(`${portal.url}/`)
  await page.goto('/dashboard/logs')
  await heading(page, /^Activity Logs/).waitFor()
  await page.getByText(LOGS_DESCRIPTION).waitFor()
})
