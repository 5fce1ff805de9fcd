import { EXHAUSTIVE } from '@portal/fixtures/exhaustive'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { request } from '../../edge-api/test/portal.ts'
import { poll, visit, withChromium } from './support/browser.ts'
import { admin, logIn, newUser, portal, type SignedInUser } from './support/portal.ts'
import { fetchRemotesConfig, Release, serveRelease } from './support/release.ts'
import { button, heading, numberField } from './support/verify-flow.ts'

withChromium()

const REMOTE_LOG_LINES = /^console: mfe-(user|public|admin):|^console: \[ Federation Runtime/
/** A text that only the code of the history page contains. */
const HISTORY_PAGE = /Failed to load verification history/
const DASHBOARD_UNAVAILABLE = 'Your dashboard is unavailable right now. The rest of the portal still works.'

/** Collects the names of the micro-frontends from which a page requests files. */
function requestedRemotes(page: Page): Set<string> {
  const remotes = new Set<string>()
  page.on('request', request => {
    const name = /\/r\/([^/]+)\//.exec(request.url())?.[1]
    if (name) remotes.add(name)
  })
  return remotes
}

const historyHeading = (page: Page) => heading(page, 'Verification History')

let sharedUser: ReturnType<typeof newUser> | undefined
/** Returns one account for all tests in this file, none of which changes it. */
const getSharedUser = () => {
  sharedUser ??= newUser()
  return sharedUser
}

/** Returns the number of failures that browsers reported for a release, or for the shell. */
async function failureCount(release: string): Promise<number> {
  const { token } = await admin()
  const { body } = await request('GET', '/admin/system', { token, portal: portal() })
  const found = body.front_ends.find(
    (item: Record<string, string>) => release === (item.release || item.name),
  )
  return found?.reports ?? 0
}

/** Checks that the account menu and Sign Out still work, without leaving the page. */
async function expectRestUsable(page: Page) {
  await button(page, /^Account of/).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Sign Out').first().waitFor()
}

/** Marks the page, so that a test can show later that the page was never reloaded. */
const markPage = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-test', 'same'))
const isMarked = (page: Page) =>
  page.evaluate(() => document.documentElement.getAttribute('data-test') === 'same')

test('each role loads only its own remote', {
  tags: ['SHIPPING-1', 'SPEC-6.1', 'STAFF-1'],
}, async () => {
  const visitor = await visit()
  const visitorRemotes = requestedRemotes(visitor.page)
  await visitor.page.goto('/')
  await heading(visitor.page, /^How it works/i).waitFor()
  expect([...visitorRemotes]).toEqual(['mfe-public'])

  const roles: [SignedInUser, string][] = [
    [await getSharedUser(), 'mfe-user'],
    [await admin(), 'mfe-admin'],
    [await logIn(personas.superAdmin.email, DEMO_PASSWORD), 'mfe-admin'],
  ]
  for (const [as, remote] of roles) {
    const { page } = await visit({ as })
    const remotes = requestedRemotes(page)
    await page.goto('/dashboard')
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    expect([...remotes]).toEqual([remote])
  }
})

test.each(['manifest', 'entry', 'page', 'style'] as const)(
  'a remote whose %s cannot be fetched shows its own fallback, and Try again recovers the remote',
  { tags: ['QUALITY-48'] },
  async part => {
    const { page, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /^failed GET \/r\/mfe-user\//, /^console: .*ChunkLoadError/)
    const pattern = await urlPatternOf('mfe-user', part)
    await page.route(pattern, route => route.abort('connectionfailed'))
    await page.goto('/dashboard/history')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await markPage(page)
    await expectRestUsable(page)
    await page.unroute(pattern)
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
    expect(await isMarked(page)).toBe(true)
  },
)

test('a failed remote does not affect the others', { tags: ['QUALITY-48'] }, async () => {
  const { page, problems } = await visit({ as: await getSharedUser() })
  problems.expect(REMOTE_LOG_LINES, /^failed GET \/r\/mfe-user\//)
  await page.route('**/r/mfe-user/**', route => route.abort('connectionfailed'))
  await page.goto('/dashboard')
  await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
  await button(page, /^Account of/).click()
  await page.getByRole('menuitem', { name: 'Home page' }).click()
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  await page.getByRole('link', { name: 'Track Payments' }).first().click()
  await heading(page, 'Track Payment').waitFor()
})

test.each(['entry', 'style'] as const)(
  'a remote whose %s hangs fails after its time limit, and can recover',
  { tags: ['QUALITY-48'] },
  async part => {
    const { page, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /^console: TimeoutError: mfe-user/)
    const pattern = await urlPatternOf('mfe-user', part)
    const hanging = Promise.withResolvers<void>()
    await page.route(pattern, () => hanging.resolve())
    await page.clock.install()
    await page.goto('/dashboard/history', { waitUntil: 'commit' })
    await hanging.promise
    await page.clock.fastForward('00:16')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await markPage(page)
    await expectRestUsable(page)
    await page.unroute(pattern)
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
    expect(await isMarked(page)).toBe(true)
  },
)

test.each([
  ['while its page loads', (code: string) => `throw new Error('faulty release');${code}`],
  [
    'while it renders',
    (code: string) => {
      const brokenCode = code.replace(
        /(["'`])Verification History\1/,
        `(()=>{throw new Error('faulty release')})()`,
      )
      if (brokenCode === code) throw new Error('the title of the history is not where it was')
      return brokenCode
    },
  ],
])(
  'a release that throws %s affects nothing else, and the next release fixes it',
  { tags: ['QUALITY-48'] },
  async (_, breakCode) => {
    const { page, context, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /faulty release/, /^console: ChunkLoadError/)
    const faultyRelease = await serveRelease(context, 'mfe-user', 'faulty', async release => {
      const chunk = await release.chunkWith(HISTORY_PAGE)
      await release.replaceChunk(chunk, breakCode(await release.readFile(chunk)))
    })
    await page.goto('/dashboard/history')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await markPage(page)
    await expectRestUsable(page)
    // Another screen of the same micro-frontend is not affected.
    await page.getByRole('link', { name: 'Profile Settings' }).first().click()
    await heading(page, 'Profile Settings').waitFor()
    await page.getByRole('link', { name: 'Verification History' }).first().click()
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await faultyRelease.rollBack()
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
    expect(await isMarked(page)).toBe(true)
  },
)

test.each(['manifest', 'entry', 'page', 'style'] as const)(
  'a tampered %s is refused because of its integrity hash, and the real one runs after Try again',
  { tags: ['SHIPPING-2'] },
  async part => {
    const { page, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /integrity/i, /^failed GET \/r\/mfe-user\//, /ChunkLoadError/)
    const pattern = await urlPatternOf('mfe-user', part)
    await page.route(pattern, async route => {
      const response = await route.fetch()
      const body = `${await response.text()}\n`
      await route.fulfill({ response, body })
    })
    await page.goto('/dashboard/history')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await page.unroute(pattern)
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
  },
)

test('changing remotes.json is enough to release and roll back a remote, while an open session keeps its release', {
  tags: ['SHIPPING-9'],
}, async () => {
  const person = await getSharedUser()
  const earlySession = await visit({ as: person })
  await earlySession.page.goto('/dashboard/history')
  await historyHeading(earlySession.page).waitFor()

  const lateSession = await visit({ as: person })
  const paths: string[] = []
  lateSession.page.on('request', request => paths.push(new URL(request.url()).pathname))
  const next = await serveRelease(lateSession.context, 'mfe-user', 'next', async release => {
    const chunk = await release.chunkWith(HISTORY_PAGE)
    const code = await release.readFile(chunk)
    await release.replaceChunk(chunk, code.replace(/(["'`])Verification History\1/, '$1The next release$1'))
  })
  await lateSession.page.goto('/dashboard/history')
  await heading(lateSession.page, 'The next release').waitFor()
  expect(paths.some(path => path.startsWith('/r/mfe-user/next/'))).toBe(true)

  await earlySession.page.getByRole('link', { name: 'Profile Settings' }).first().click()
  await heading(earlySession.page, 'Profile Settings').waitFor()

  await next.rollBack()
  const pageAfterRollback = await lateSession.context.newPage()
  await pageAfterRollback.goto('/dashboard/history')
  await historyHeading(pageAfterRollback).waitFor()
})

const INCOMPATIBLE_NEEDS = {
  'another contract version': { contract: 7 },
  'another React': { shared: { react: '^20.0.0' } },
}
test.each(Object.entries(INCOMPATIBLE_NEEDS))(
  'a release for %s is refused with a message before any of its code runs, and the next release runs',
  { tags: ['SHIPPING-8'] },
  async (_, changedNeeds) => {
    const { page, problems } = await visit({ as: await getSharedUser() })
    problems.expect(/^console: mfe-user: IncompatibleRemote: mfe-user needs (contract 7|react \^20)/)
    const loaded = requestedRemotes(page)
    const config = await fetchRemotesConfig()
    const remotes = config.remotes.map(remote =>
      remote.name === 'mfe-user' && remote.needs
        ? { ...remote, needs: { ...remote.needs, ...changedNeeds } }
        : remote,
    )
    await page.route('**/config/remotes.json', route => route.fulfill({ json: { ...config, remotes } }))
    await page.goto('/dashboard/history')
    await page
      .getByRole('alert')
      .getByText(/^Your dashboard is being updated. Please load this page again/)
      .waitFor()
    expect([...loaded]).toEqual([])
    await expectRestUsable(page)
    await page.unroute('**/config/remotes.json')
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
  },
)

test.each([
  [
    'requests a React version that it does not declare',
    'otherreact',
    async (release: Release) => {
      const entry = await release.readFile(release.entry)
      const alteredEntry = entry.replace(/("?react"?[^}]{0,200}requiredVersion:")\^19[^"]+/, '$1^20.0.0')
      if (alteredEntry === entry) throw new Error('the entry does not say which React it needs')
      release.replaceEntry(alteredEntry)
    },
  ],
  [
    'throws in its entry',
    'entrythrows',
    async (release: Release) => {
      release.replaceEntry(`throw new Error('faulty release');${await release.readFile(release.entry)}`)
    },
  ],
  [
    'throws in its routes',
    'routesthrow',
    async (release: Release) => {
      const routes = await release.chunkWith(/path:["']history["'],access:/)
      await release.replaceChunk(
        routes,
        `throw new Error('faulty release');${await release.readFile(routes)}`,
      )
    },
  ],
])(
  'a release that %s shows its fallback, is reported to the server, and is fixed by the next release',
  { tags: ['QUALITY-48'] },
  async (_, id, breakRelease) => {
    const { page, context, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /faulty release/, /^console: ChunkLoadError/)
    const faultyRelease = await serveRelease(context, 'mfe-user', id, breakRelease)
    await page.goto('/dashboard/history')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await markPage(page)
    await expectRestUsable(page)
    await poll(() => failureCount(id)).toBeGreaterThan(0)
    await faultyRelease.rollBack()
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
    expect(await isMarked(page)).toBe(true)
  },
)

/** Wraps the exports of a release's routes module, because minified names differ from build to build. */
async function wrapNavigation(release: Release, wrapperCode: string): Promise<void> {
  const chunk = await release.chunkWith(/path:["']history["'],access:/)
  const code = await release.readFile(chunk)
  const altered = code.replace(
    /navigation:\(\)=>(\w+)/,
    (_, name) => `navigation:()=>(${wrapperCode})(${name})`,
  )
  if (altered === code) throw new Error('the navigation is not exported where it was')
  await release.replaceChunk(chunk, altered)
}

/** Faults in a menu. The tests of `parseRemoteModule` cover every fault; this file tests how the shell reacts. */
const FAULTY_MENUS = [
  ['has a navigation that throws', 'menuthrows', `() => { throw new Error('faulty release') }`],
  ['has an item that is null', 'menunull', 'items => [null, ...items]'],
  ...(EXHAUSTIVE
    ? ([
        ['has no navigation', 'menumissing', '() => undefined'],
        ['has an item without access', 'menuaccess', 'items => items.map(({ access, ...item }) => item)'],
        [
          'has an item for an unknown role',
          'menurole',
          `items => items.map(item => ({ ...item, access: ['owner'] }))`,
        ],
        [
          'has an item whose label is an object',
          'menulabel',
          'items => items.map(item => ({ ...item, label: {} }))',
        ],
        [
          'has an icon that is not a component',
          'menuicon',
          'items => items.map(item => ({ ...item, icon: {} }))',
        ],
      ] as const)
    : []),
] as const
test.each(FAULTY_MENUS)(
  'a release that %s shows a message in place of its menu and its pages, and is reported to the server',
  { tags: ['SHIPPING-3'] },
  async (_, id, wrapperCode) => {
    const { page, context, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /faulty release/)
    const faultyRelease = await serveRelease(context, 'mfe-user', id, release =>
      wrapNavigation(release, wrapperCode),
    )
    await page.goto('/dashboard/history')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await page
      .getByRole('navigation', { name: 'Dashboard' })
      .first()
      .getByText('This menu is unavailable right now.')
      .waitFor()
    await markPage(page)
    await expectRestUsable(page)
    await poll(() => failureCount(id)).toBeGreaterThan(0)
    await faultyRelease.rollBack()
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
    await page.getByRole('link', { name: 'Profile Settings' }).first().click()
    await heading(page, 'Profile Settings').waitFor()
    expect(await isMarked(page)).toBe(true)
  },
)

test.each([
  ['throws', 'iconthrows', `() => { throw new Error('faulty release') }`],
  ['never arrives', 'iconwaits', '() => { throw waiting }'],
  ['draws an object', 'iconobject', '() => ({})'],
])(
  'an icon that %s is replaced by a plain one, and the menu and the pages work',
  { tags: ['SHIPPING-3'] },
  async (_, id, icon) => {
    const { page, context, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /faulty release/, /Minified React error #31/)
    await serveRelease(context, 'mfe-user', id, release =>
      wrapNavigation(
        release,
        `items => { const waiting = new Promise(() => {}); const icon = ${icon}; return items.map(item => ({ ...item, icon })) }`,
      ),
    )
    await page.goto('/dashboard/history')
    await historyHeading(page).waitFor()
    const links = page.getByRole('navigation', { name: 'Dashboard' }).first().getByRole('link')
    expect(await links.count()).toBe(4)
    expect(await links.locator('svg').count()).toBe(4)
    await links.getByText('Profile Settings').click()
    await heading(page, 'Profile Settings').waitFor()
    await expectRestUsable(page)
    if (id !== 'iconwaits') await poll(() => failureCount(id)).toBeGreaterThan(0)
  },
)

test('after an error in the frame of the dashboard, Sign Out still works, and the error is reported with its release', {
  tags: ['SHIPPING-3'],
}, async () => {
  const { page, context, problems } = await visit({ as: await newUser() })
  problems.expect(/faulty release/)
  await serveRelease(context, 'mfe-user', 'framefails', async release => {
    const routes = await release.chunkWith(/path:["']history["'],access:/)
    const fail = `Date.prototype.toISOString=function(){throw new Error('faulty release')};`
    await release.replaceChunk(routes, fail + (await release.readFile(routes)))
  })
  await page.goto('/dashboard/history')
  const message = page.getByRole('alert')
  await message.getByText('The dashboard stopped because of an error').waitFor()
  expect(await message.textContent()).not.toMatch(/connection/)
  await poll(() => failureCount('framefails')).toBeGreaterThan(0)
  await button(page, 'Load again').waitFor()
  await button(page, 'Sign Out').click()
  await heading(page, 'Is this degree certificate on the register?').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a connection problem is reported only if code of the dashboard could not be fetched', {
  tags: ['SHIPPING-3'],
}, async () => {
  const person = await getSharedUser()
  const offlineVisit = await visit({ as: person })
  offlineVisit.problems.expect(/ChunkLoadError/, /^failed GET \/js\//, /^console: shell:/)
  await offlineVisit.page.route(/\/\/[^/]+\/js\/(?!shell\.|boot\.)/, route => route.abort('connectionfailed'))
  await offlineVisit.page.goto('/dashboard/history')
  await offlineVisit.page
    .getByText('The dashboard could not be loaded. Please check your connection')
    .waitFor()
  await button(offlineVisit.page, 'Load again').waitFor()

  const brokenVisit = await visit({ as: person })
  brokenVisit.problems.expect(/no listeners/)
  const before = await failureCount('shell')
  // The query client listens for this event when the dashboard is first rendered, which is outside its boundary.
  await brokenVisit.page.addInitScript(() => {
    const addListener = window.addEventListener
    window.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
      if (type === 'visibilitychange') throw new Error('no listeners')
      addListener.call(window, type, listener)
    }
  })
  await brokenVisit.page.goto('/dashboard/history')
  const message = brokenVisit.page.getByRole('alert')
  await message.getByText('The dashboard could not be loaded. Please load the page again.').waitFor()
  await poll(() => failureCount('shell')).toBeGreaterThan(before)
})

test.each(EXHAUSTIVE ? [360, 768, 1280] : [360, 1280])(
  'Sign Out is reachable at %i px while a remote is down',
  { tags: ['SHIPPING-3'] },
  async width => {
    const { page, problems } = await visit({ as: await newUser() })
    problems.expect(REMOTE_LOG_LINES, /^failed GET \/r\/mfe-user\//)
    await page.setViewportSize({ width, height: 800 })
    await page.route('**/r/mfe-user/**', route => route.abort('connectionfailed'))
    await page.goto('/dashboard')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await button(page, /^Account of/).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await heading(page, 'Is this degree certificate on the register?').waitFor()
  },
)

test('a damaged entry of remotes.json affects only its micro-frontend', {
  tags: ['SHIPPING-3'],
}, async () => {
  const { page, problems } = await visit({ as: await getSharedUser() })
  problems.expect(/^console: remotes\.json:/)
  const config = await fetchRemotesConfig()
  const remotes = [{}, { name: 'mfe-finance', manifest: 5 }, ...config.remotes]
  await page.route('**/config/remotes.json', route => route.fulfill({ json: { ...config, remotes } }))
  await page.goto('/dashboard/history')
  await historyHeading(page).waitFor()
})

test('a click handler of a release that throws removes the page and is reported, and reopening the page works', {
  tags: ['QUALITY-48'],
}, async () => {
  const { page, context, problems } = await visit({ as: await getSharedUser() })
  problems.expect(/^thrown: faulty handler/)
  const faultyRelease = await serveRelease(context, 'mfe-user', 'faultyclick', async release => {
    const chunk = await release.chunkWith(HISTORY_PAGE)
    const handler = `document.addEventListener('click',e=>{if(e.target.closest('h1'))throw new Error('faulty handler of Ada Obi')});`
    await release.replaceChunk(chunk, handler + (await release.readFile(chunk)))
  })
  const reports: string[] = []
  page.on('request', sent => {
    if (sent.url().endsWith('/api/front-ends/reports')) reports.push(sent.postData() ?? '')
  })
  await page.goto('/dashboard/history')
  await historyHeading(page).click()
  await page.getByRole('alert').getByText('Something on this page did not work.').waitFor()
  await markPage(page)
  expect(await historyHeading(page).count()).toBe(1)
  await poll(() => failureCount('faultyclick')).toBe(1)
  expect(JSON.parse(reports[0] ?? '{}')).toMatchObject({ remote: 'mfe-user', stage: 'event', error: 'Error' })
  expect(reports.join()).not.toContain('Ada')
  // The failure affects only this page.
  await page.getByRole('link', { name: 'Profile Settings' }).first().click()
  await heading(page, 'Profile Settings').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.goBack()
  await faultyRelease.rollBack()
  await button(page, 'Open again').click()
  await historyHeading(page).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await isMarked(page)).toBe(true)
})

test.each([
  ['cannot be read', { status: 503, body: '' }],
  ['is not a list of remotes', { status: 200, body: '{"remotes":[{}]}' }],
])(
  'if remotes.json %s, the shell still works, and recovers',
  { tags: ['QUALITY-48'] },
  async (_, response) => {
    const { page, problems } = await visit({ as: await getSharedUser() })
    problems.expect(REMOTE_LOG_LINES, /^503 GET \/config\/remotes\.json/, /^console: remotes\.json:/)
    await page.route('**/config/remotes.json', route => route.fulfill(response))
    await page.goto('/dashboard/history')
    await page.getByRole('alert').getByText(DASHBOARD_UNAVAILABLE).waitFor()
    await expectRestUsable(page)
    await page.unroute('**/config/remotes.json')
    await button(page, 'Try again').click()
    await historyHeading(page).waitFor()
  },
)

test('deep links, Back and Forward work across screens and micro-frontends', {
  tags: ['SHIPPING-15'],
}, async () => {
  const { page } = await visit({ as: await getSharedUser() })
  await page.goto('/dashboard/profile?tab=password')
  await page.getByRole('tab', { name: 'Change Password', selected: true }).waitFor()
  await page.getByRole('link', { name: 'Verification History' }).first().click()
  await historyHeading(page).waitFor()
  await page.getByRole('link', { name: 'Verify Certificate' }).first().click()
  await numberField(page).waitFor()
  await page.goBack()
  await historyHeading(page).waitFor()
  await page.goBack()
  await page.getByRole('tab', { name: 'Change Password', selected: true }).waitFor()
  await page.goForward()
  await historyHeading(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/history')
  await page.goto('/track-payment')
  await heading(page, 'Track Payment').waitFor()
  await page.goBack()
  await historyHeading(page).waitFor()
})

test('the page contains React once, and one class of API errors', { tags: ['SHIPPING-1'] }, async () => {
  const { page } = await visit({ as: await getSharedUser() })
  const scripts: Promise<string>[] = []
  page.on('response', response => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.push(response.text())
  })
  await page.goto('/dashboard/history')
  await historyHeading(page).waitFor()
  const code = await Promise.all(scripts)
  const chunksMatching = (pattern: RegExp) => code.filter(text => pattern.test(text)).length
  // React assigns its internals once, and the renderer registers with the developer tools once, so one match means one copy.
  expect(chunksMatching(/\.__CLIENT_INTERNALS\w+\s*=[^=]/)).toBe(1)
  expect(chunksMatching(/__REACT_DEVTOOLS_GLOBAL_HOOK__/)).toBe(1)
  // With a second copy of the client's error class, every `instanceof` in a remote would fail.
  expect(chunksMatching(/["'`]ApiError["'`]/)).toBe(1)
})

/**
 * Returns a pattern for the address of a part of the live release: its manifest, its entry, the chunk of the history page, or
 * its styles.
 */
async function urlPatternOf(name: string, part: 'manifest' | 'entry' | 'page' | 'style'): Promise<RegExp> {
  const release = await Release.readLive(name)
  if (part === 'style') return new RegExp(`${release.urlPath}css/.+\\.css(\\?|$)`)
  const files = {
    manifest: async () => 'mf-manifest.json',
    entry: async () => release.entry,
    page: () => release.chunkWith(HISTORY_PAGE),
  }
  const file = await files[part]()
  return new RegExp(`${release.urlPath}${file.replaceAll('.', '\\.')}(\\?|$)`)
}
