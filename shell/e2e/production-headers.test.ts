import { get } from 'node:http'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit, withChromium } from './support/browser.ts'
import { admin, createCertificate, logIn, newUser, portal } from './support/portal.ts'
import { fetchRemotesConfig } from './support/release.ts'
import {
  button,
  cards,
  goToPayment,
  heading,
  numberField,
  openGateway,
  payByCard,
  returnFrom,
  waitForLetter,
} from './support/verify-flow.ts'

withChromium()

const KB = 1000
/** Maximum size of JavaScript until first use, in kB of gzip (docs/shipping.md). */
const BUDGET_KB = { landing: 125, dashboard: 160 }

/** Returns the policy of a response, as a map from each directive to its sources. */
function policyOf(response: Response): Map<string, string[]> {
  const policy = response.headers.get('content-security-policy') ?? ''
  return new Map(
    policy.split(';').map(part => {
      const [name = '', ...sources] = part.trim().split(/\s+/)
      return [name, sources]
    }),
  )
}

test('every response has a policy that allows only scripts and styles from the portal itself, nothing inline and no eval', {
  tags: ['QUALITY-13'],
}, async () => {
  const { url, paymentUrl } = portal()
  const html = await (await fetch(url)).text()
  const script = /src="(\/[^"]+\.js)"/.exec(html)?.[1]
  if (!script) throw new Error('the page names no script')
  for (const path of ['/', '/dashboard/verify', '/verify-email/x', '/api/health', '/no/such/page', script]) {
    const response = await fetch(url + path)
    const policy = policyOf(response)
    expect(policy.get('default-src'), path).toEqual(["'self'"])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('style-src')).toEqual(["'self'"])
    expect(policy.get('object-src')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('form-action')).toEqual(["'self'", paymentUrl])
    expect(policy.get('require-trusted-types-for')).toEqual(["'script'"])
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe-|\*|data: *;?$/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  }
  expect((await fetch(url)).headers.get('cache-control')).toBe('no-cache')
  expect((await fetch(`${url}/verify-email/x`)).headers.get('referrer-policy')).toBe('no-referrer')
})

test('a shared link has a picture, a phone can show an icon, and an unknown path is not found', async () => {
  const { url } = portal()
  const html = await (await fetch(`${url}/letters`)).text()
  const socialCard = /property="og:image" content="([^"]+)"/.exec(html)?.[1]
  expect(socialCard).toBe(`${url}/social-card.png`)
  const manifest = (await (await fetch(`${url}/site.webmanifest`)).json()) as { icons: { src: string }[] }
  for (const file of ['/social-card.png', '/apple-touch-icon.png', ...manifest.icons.map(icon => icon.src)])
    expect((await fetch(url + file)).headers.get('content-type'), file).toBe('image/png')
  expect(await (await fetch(`${url}/robots.txt`)).text()).toContain('Disallow: /api/')
  expect((await fetch(`${url}/no-such-file.js`)).status).toBe(404)
})

test('the main flow never violates the policy, and injected code does not run', {
  tags: ['QUALITY-13', 'QUALITY-31'],
}, async () => {
  const [person, { certificate_number: number }] = await Promise.all([newUser(), createCertificate()])
  // Each visit ends by asserting that no violation was reported.
  const { page } = await visit({ as: person })
  await goToPayment(page, number)
  const popup = await openGateway(page)
  await payByCard(popup, cards.approved)
  await returnFrom(popup)
  await waitForLetter(page)
  for (const [link, title] of [
    ['Overview', /./],
    ['Verification History', 'Verification History'],
    ['Profile Settings', 'Profile Settings'],
  ] as const) {
    await page.getByRole('link', { name: link }).first().click()
    await heading(page, title).first().waitFor()
  }
  const staff = await visit({ as: await admin() })
  await staff.page.goto('/dashboard/certificates')
  await button(staff.page, 'Add certificate').click()
  await staff.page.getByRole('dialog', { name: 'Add certificate' }).waitFor()

  const victim = await visit()
  victim.problems.expect(
    /^policy: (script-src|require-trusted-types)/,
    /Content Security Policy|TrustedHTML|TrustedScript/,
  )
  await victim.page.goto('/')
  const outcome = await victim.page.evaluate(() => {
    const errors: string[] = []
    try {
      document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.injected = true">')
    } catch (error) {
      errors.push(error instanceof Error ? error.name : 'other')
    }
    const script = document.createElement('script')
    try {
      script.textContent = 'window.injected = true'
      document.head.append(script)
    } catch (error) {
      errors.push(error instanceof Error ? error.name : 'other')
    }
    return { tried: errors, ran: 'injected' in window }
  })
  expect(outcome.tried).toContain('TypeError')
  expect(outcome.ran).toBe(false)
})

test('text that looks like markup is shown as text everywhere', {
  tags: ['QUALITY-12', 'SHIPPING-1'],
}, async () => {
  const person = await newUser()
  const { page } = await visit({ as: person })
  await page.goto('/dashboard/profile')
  const markup = '<img src=x onerror=alert(1)>'
  await page.getByLabel('First name').fill(markup)
  await button(page, 'Update Profile').click()
  await page.getByText('Profile updated successfully!').waitFor()
  await page.goto('/dashboard/overview')
  await button(page, /^Account of/)
    .getByText(markup)
    .waitFor()
})

test('the bytes that a page needs until its first use stay within the budget', {
  tags: ['SHIPPING-21', 'USABILITY-17', 'SPEC-2.9'],
}, async () => {
  const [person, staff] = [await newUser(), await admin()]
  const superAdmin = await logIn(personas.superAdmin.email, DEMO_PASSWORD)
  const waitForTitle = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  const rows: { page: string; kB: number; files: number; budget: number }[] = []
  for (const { name, as, path, ready, budget } of [
    {
      name: 'landing',
      path: '/',
      ready: (page: Page) => numberField(page).waitFor(),
      budget: BUDGET_KB.landing,
    },
    {
      name: 'user dashboard',
      as: person,
      path: '/dashboard',
      ready: (page: Page) => numberField(page).waitFor(),
      budget: BUDGET_KB.dashboard,
    },
    {
      name: 'admin dashboard',
      as: staff,
      path: '/dashboard',
      ready: waitForTitle,
      budget: BUDGET_KB.dashboard,
    },
    // Adds the dashboard areas that other micro-frontends provide for some roles, from remotes.json.
    ...(await fetchRemotesConfig()).remotes.flatMap(({ area }) =>
      area
        ? [
            {
              name: `area ${area.path}`,
              as: area.roles.includes('user') ? person : superAdmin,
              path: `/dashboard/${area.path}`,
              ready: waitForTitle,
              budget: BUDGET_KB.dashboard,
            },
          ]
        : [],
    ),
  ]) {
    const { page } = await visit(as ? { as } : {})
    const scripts = new Set<string>()
    page.on('response', response => {
      if (/\.js$/.test(new URL(response.url()).pathname)) scripts.add(response.url())
    })
    await page.goto(path)
    await ready(page)
    // Prefetched files count too, so this waits until the network is idle.
    await page.waitForLoadState('networkidle')
    const sizes = await Promise.all([...scripts].map(gzippedSize))
    const kB = sizes.reduce((sum, size) => sum + size, 0) / KB
    rows.push({ page: name, kB: Number(kB.toFixed(1)), files: sizes.length, budget })
  }
  console.table(rows)
  for (const row of rows) expect(row.kB, row.page).toBeLessThanOrEqual(row.budget)
})

/** Returns the size of a script's body, in bytes, as the portal sends it compressed with gzip. */
function gzippedSize(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, response => {
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
      })
      response.on('end', () => resolve(size))
    }).on('error', reject)
  })
}
