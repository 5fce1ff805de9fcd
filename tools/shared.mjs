// `npm run shared -- --portal https://staging.example.org` reports, for each shared package, which copy the micro-frontends of
// a running portal got in a browser, and from which build. It opens the landing page and, with `--email` and `--password`, the
// dashboard of that account.
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { setUp } from '../scripts/lib/setup.mjs'
import { signIn, storedSession } from './lib/sign-in.mjs'

const USAGE = 'npm run shared -- --portal <address> [--email <address> --password <password>]'
const { values } = argumentsOf(USAGE, {
  options: { portal: { type: 'string' }, email: { type: 'string' }, password: { type: 'string' } },
})
const portal = (values.portal ?? process.env.PUBLIC_URL ?? 'http://localhost:8080').replace(/\/+$/, '')
if (!URL.canParse(portal)) exitWithUsage(`${portal} is not a URL.`, USAGE)

await setUp()
const { launchChromium } = await import('../shell/e2e/support/chromium.ts')
const { readSharedPackages, formatSharedPackages } = await import('../shell/e2e/support/shared.ts')

const browser = await launchChromium()
try {
  /** @type {{ path: string, ready: string, localStorage: ReturnType<typeof storedSession> }[]} */
  const pages = [{ path: '/', ready: 'main h1', localStorage: [] }]
  if (values.email) {
    const localStorage = storedSession(await signIn(portal, values.email, values.password))
    pages.push({ path: '/dashboard', ready: 'main a, main button', localStorage })
  }
  for (const { path, ready, localStorage } of pages) {
    const storageState = { cookies: [], origins: [{ origin: new URL(portal).origin, localStorage }] }
    const page = await (await browser.newContext({ baseURL: portal, storageState })).newPage()
    await page.goto(path)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle')
    console.log(
      [path, ...formatSharedPackages(await readSharedPackages(page)).map(line => `  ${line}`)].join('\n'),
    )
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await browser.close()
}
