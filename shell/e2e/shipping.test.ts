import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../edge-api/test/portal.ts'
import { visit, withChromium } from './support/browser.ts'
import { admin, createCertificate, newUser, ownPortal, type SignedInUser } from './support/portal.ts'
import { fetchRemotesConfig } from './support/release.ts'
import {
  alterStamp,
  buildElsewhere,
  copyReleases,
  hashShell,
  replaceText,
  runReleases,
  serveFromOtherOrigin,
} from './support/shipping.ts'
import {
  button,
  cards,
  goToPayment,
  heading,
  openGateway,
  payByCard,
  returnFrom,
  waitForLetter,
} from './support/verify-flow.ts'

/* Tests real releases, made with the release command, in a folder that only this portal serves. */

withChromium()
const folder = await copyReleases()
const isolatedPortal = ownPortal({ RELEASES_FOLDER: folder })
afterAll(() => rm(folder, { recursive: true, force: true }))

/** For each page, a text that it shows, and a pattern that only its code matches. */
const LOGS = 'Your own activity, and that of ordinary users and the system.'
const LOGS_PAGE = /Your own activity, and that of/
const HISTORY = 'Verification History'
const HISTORY_PAGE = /Failed to load verification history/
const LANDING = 'Is this degree certificate on the register?'
const LANDING_PAGE = /Is this degree certificate on/

const runCommand = (...args: string[]) => runReleases(folder, isolatedPortal.current, ...args)
const createBuild = (app: string, id: string, ...replacement: Parameters<typeof replaceText>) =>
  buildElsewhere(folder, app, id, replaceText(...replacement))
const entryOf = async (app: string) =>
  (await fetchRemotesConfig(isolatedPortal.current)).remotes.find(({ name }) => name === app)

/**
 * Runs a command that must succeed.
 * @returns its output
 */
async function runSuccessfully(...args: string[]): Promise<string> {
  const { code, output } = await runCommand(...args)
  if (code !== 0) throw new Error(output)
  return output
}

/** Opens the activity logs in a new browser. */
async function openLogs(as: SignedInUser): Promise<Page> {
  const { page } = await visit({ as, portal: isolatedPortal.current })
  await page.goto('/dashboard/logs')
  await heading(page, /^Activity Logs/).waitFor()
  return page
}
const waitForText = (page: Page, words: string) => page.getByText(words).waitFor()

test('users notice nothing while the administration is released twice and rolled back', {
  tags: ['SHIPPING-9'],
}, async () => {
  const portal = isolatedPortal.current
  const [person, staff, { certificate_number }] = await Promise.all([
    newUser(portal),
    admin(portal),
    createCertificate(portal),
  ])
  const [firstBuild, secondBuild] = [
    await createBuild('mfe-admin', 'rone', LOGS_PAGE, LOGS, 'The first release.'),
    await createBuild('mfe-admin', 'rtwo', LOGS_PAGE, LOGS, 'The second release.'),
  ]
  const before = { shell: await hashShell(folder), user: await entryOf('mfe-user') }
  const { page } = await visit({ as: person, portal })
  await goToPayment(page, certificate_number)
  const popup = await openGateway(page)
  const staffPage = await openLogs(staff)
  await waitForText(staffPage, LOGS)

  expect(await runSuccessfully('release', 'mfe-admin', '--from', firstBuild)).toContain(
    `${portal.url} has every call that mfe-admin makes`,
  )
  await waitForText(await openLogs(staff), 'The first release.')
  await runSuccessfully('release', 'mfe-admin', '--from', secondBuild)
  await waitForText(await openLogs(staff), 'The second release.')
  expect(await runSuccessfully('rollback', 'mfe-admin')).toContain('mfe-admin rtwo -> rone, for everyone')
  const logsPage = await openLogs(staff)
  await waitForText(logsPage, 'The first release.')

  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)
  // A page that was opened with the old release continues with it.
  await staffPage.getByRole('link', { name: 'Certificates', exact: true }).first().click()
  await heading(staffPage, 'Certificates').first().waitFor()
  expect({ shell: await hashShell(folder), user: await entryOf('mfe-user') }).toEqual(before)

  // The log lists releases with their authors, newest first, once the scheduler has run.
  await eventually(async () => {
    await logsPage.getByRole('button', { name: 'Refresh' }).click()
    return (await logsPage.getByText('Front end rolled back').count()) > 0 || undefined
  }, 'the entries of the log')
  const row = logsPage.getByRole('row').filter({ hasText: 'Front end rolled back' })
  await row.getByText('ada@example.org').first().waitFor()
  await row.getByText('Admin', { exact: true }).first().waitFor()
  expect(await logsPage.getByRole('row').filter({ hasText: 'Front end released' }).count()).toBe(2)
})

test('a canary is shown to the selected accounts, in each of their browsers, until it is promoted', {
  tags: ['SHIPPING-10'],
}, async () => {
  const portal = isolatedPortal.current
  const [canaryUser, otherUser] = await Promise.all([newUser(portal), newUser(portal)])
  const newBuild = await createBuild('mfe-user', 'rnext', HISTORY_PAGE, HISTORY, 'The next release')
  await runSuccessfully('release', 'mfe-user', '--from', newBuild, '--canary-accounts', canaryUser.user.id)
  const readTitle = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 }).textContent()
  const readHistoryTitle = async (as: SignedInUser) => {
    const { page } = await visit({ as, portal })
    await page.goto('/dashboard/history')
    return await readTitle(page)
  }
  expect(await Promise.all([canaryUser, canaryUser, otherUser].map(readHistoryTitle))).toEqual([
    'The next release',
    'The next release',
    HISTORY,
  ])
  const published = JSON.stringify(await fetchRemotesConfig(portal))
  for (const personal of [canaryUser.user.id, canaryUser.email]) expect(published).not.toContain(personal)

  // Another account in the same tab gets its own release without a reload.
  const { page } = await visit({ as: canaryUser, portal })
  await page.goto('/dashboard/history')
  await heading(page, 'The next release').waitFor()
  await button(page, 'Sign Out').first().click()
  await button(page, 'Login').click()
  const dialog = page.getByRole('dialog', { name: 'Login to Your Account' })
  await dialog.getByLabel('Email').fill(otherUser.email)
  await dialog.getByLabel('Password', { exact: true }).fill(otherUser.password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: HISTORY }).first().click()
  await heading(page, HISTORY).waitFor()

  expect(await runSuccessfully('promote', 'mfe-user')).toContain('rnext, for everyone')
  expect(await readHistoryTitle(otherUser)).toBe('The next release')
})

test('a canary of the landing page is shown to a share of the browsers, which also prefetch it', {
  tags: ['SHIPPING-10'],
}, async () => {
  const portal = isolatedPortal.current
  const newBuild = await createBuild('mfe-public', 'rlanding', LANDING_PAGE, LANDING, 'The next landing page')
  await runSuccessfully('release', 'mfe-public', '--from', newBuild, '--canary', '40')
  const live = (await entryOf('mfe-public'))?.release
  for (const [part, title, release] of [
    ['39.9', 'The next landing page', 'rlanding'],
    ['40.1', LANDING, live],
  ] as const) {
    const { page, context } = await visit({ portal })
    await context.addCookies([{ name: 'portal-part', value: part, url: portal.url }])
    const releases = new Set<string | undefined>()
    page.on('request', request => releases.add(/\/r\/mfe-public\/([^/]+)\//.exec(request.url())?.[1]))
    await page.goto('/')
    await heading(page, title).waitFor()
    await page.waitForLoadState('networkidle')
    releases.delete(undefined)
    expect([...releases], part).toEqual([release])
  }
  // A first-time visitor is given a number, and the browser keeps it.
  const { page, context } = await visit({ portal })
  const readPartCookie = async () =>
    (await context.cookies()).find(({ name }) => name === 'portal-part')?.value
  await page.goto('/')
  await heading(page, /register\?|next landing page/).waitFor()
  const number = await readPartCookie()
  await page.reload()
  await heading(page, Number(number) < 40 ? 'The next landing page' : LANDING).waitFor()
  expect(await readPartCookie()).toBe(number)
  await runSuccessfully('rollback', 'mfe-public')
})

test('releases that the shell cannot load, or the API cannot serve, are refused with the reason', {
  tags: ['SHIPPING-8'],
}, async () => {
  const before = await fetchRemotesConfig(isolatedPortal.current)
  const incompatibleBuild = await buildElsewhere(folder, 'mfe-user', 'rstrange', async () => {})
  await alterStamp(incompatibleBuild, stamp => ({
    ...stamp,
    needs: { ...stamp.needs, contract: 7, shared: { ...stamp.needs.shared, react: '^20.0.0' } },
  }))
  const { code, output } = await runCommand('release', 'mfe-user', '--from', incompatibleBuild)
  expect(code).toBe(1)
  expect(output).toMatch(/cannot run in the shell that is served/)
  expect(output).toMatch(/needs contract 7; the shell has 1\n {2}needs react \^20\.0\.0; the shell has 19/)
  expect(await fetchRemotesConfig(isolatedPortal.current)).toEqual(before)
  expect((await fetch(`${isolatedPortal.current.url}/r/mfe-user/rstrange/mf-manifest.json`)).status).toBe(404)
})

test('a release on another origin is loaded from there, under a policy that allows that origin', {
  tags: ['SHIPPING-11'],
}, async () => {
  const portal = isolatedPortal.current
  const otherServer = await serveFromOtherOrigin(folder)
  try {
    const otherBuild = await createBuild(
      'mfe-admin',
      'raway',
      /The first release\./,
      'The first release.',
      'From elsewhere.',
    )
    await runSuccessfully('release', 'mfe-admin', '--from', otherBuild, '--origin', otherServer.origin)
    otherServer.requests.length = 0
    const page = await openLogs(await admin(portal))
    await waitForText(page, 'From elsewhere.')
    // The integrity hashes cover styles too: a page whose style sheet is refused is not rendered at all.
    expect(otherServer.requests.filter(path => path.endsWith('.css')).length).toBeGreaterThan(0)
    const policy = (await fetch(`${portal.url}/dashboard`)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`script-src 'self' ${otherServer.origin};`)
    await runSuccessfully('rollback', 'mfe-admin')
    const policyAfterRollback =
      (await fetch(`${portal.url}/dashboard`)).headers.get('content-security-policy') ?? ''
    expect(policyAfterRollback).not.toContain(otherServer.origin)
  } finally {
    otherServer.stop()
  }
})

test('a real build whose menu the dashboard cannot use is not published', {
  tags: ['SHIPPING-7'],
}, async () => {
  const before = await entryOf('mfe-admin')
  const releaseFaultyBuild = async (id: string, wrapperCode: string) => {
    const from = await buildElsewhere(folder, 'mfe-admin', id, async release => {
      const chunk = await release.chunkWith(/path:["']upload-reports["']/)
      const code = await release.readFile(chunk)
      const altered = code.replace(
        /navigation:\(\)=>(\w+)/,
        (_, name) => `navigation:()=>(${wrapperCode})(${name})`,
      )
      if (altered === code) throw new Error('the navigation is not exported where it was')
      await release.replaceChunk(chunk, altered)
    })
    return await runCommand('release', 'mfe-admin', '--from', from)
  }
  for (const [id, wrapperCode, reason] of [
    ['nomenu', '() => undefined', 'navigation must be a list'],
    ['noaccess', 'items => items.map(({ access, ...item }) => item)', 'navigation[0].access must be'],
    ['noicon', 'items => items.map(item => ({ ...item, icon: () => { throw Error("x") } }))', '].icon ("'],
  ] as const) {
    const { code, output } = await releaseFaultyBuild(id, wrapperCode)
    expect(code, output).toBe(1)
    expect(output).toContain(reason)
  }
  expect(await entryOf('mfe-admin')).toEqual(before)
})

test('a release with a style for the whole page is refused, and the shell looks the same as before', {
  tags: ['SHIPPING-5'],
}, async () => {
  const before = await entryOf('mfe-admin')
  const from = await buildElsewhere(folder, 'mfe-admin', 'restyled', async release => {
    const [sheet = ''] = readdirSync(path.join(release.folder, 'css')).filter(file => file.endsWith('.css'))
    const file = `css/${sheet}`
    await release.replaceChunk(file, `${await release.readFile(file)}body{display:none!important}`)
  })
  const { code, output } = await runCommand('release', 'mfe-admin', '--from', from)
  expect(code, output).toBe(1)
  expect(output).toMatch(/global-style.+\n.+matches elements of the shell: body/)
  expect(await entryOf('mfe-admin')).toEqual(before)
  await openLogs(await admin(isolatedPortal.current))
})
