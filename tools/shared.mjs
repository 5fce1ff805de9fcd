// `npm run shared -- --portal https://staging.example.org` reports which copy of each shared package the
// micro-frontends of a running portal got in a browser, and from which build. It opens the landing page and, with
// `--email` and `--password`, that account's dashboard.
import { argumentsOf, exitWithUsage } from '../scripts/lib/arguments.mjs'
import { setUp } from '../scripts/lib/setup.mjs'

const USAGE = 'npm run shared -- --portal <address> [--email <address> --password <password>]'
const { values } = argumentsOf(USAGE, {
  options: { portal: { type: 'string' }, email: { type: 'string' }, password: { type: 'string' } },
})
const portal = (values.portal ?? process.env.PUBLIC_URL ?? 'http://localhost:8080').replace(/\/+$/, '')
if (!URL.canParse(portal)) exitWithUsage(`${portal} is not an address.`, USAGE)

await setUp()
const { launchChromium } = await import('../shell/e2e/support/chromium.ts')
const { sharedPackages, sharedReport } = await import('../shell/e2e/support/shared.ts')

/** Logs in as a browser does. */
async function session() {
  if (!values.email) return undefined
  const answer = await fetch(`${portal}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: values.email, password: values.password }),
  })
  if (!answer.ok) throw new Error(`${values.email} cannot log in: HTTP ${answer.status}`)
  return await answer.json()
}

const browser = await launchChromium()
try {
  const signedIn = await session()
  const page = await (await browser.newContext({ baseURL: portal })).newPage()
  const pages = [{ path: '/', ready: 'main h1' }]
  if (signedIn) pages.push({ path: '/dashboard', ready: 'main a, main button' })
  for (const { path, ready } of pages) {
    await page.goto(path)
    if (signedIn && path === '/') {
      await page.evaluate(({ token, user }) => {
        localStorage.setItem('token', token)
        localStorage.setItem('user', JSON.stringify(user))
      }, signedIn)
    }
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle')
    console.log([path, ...sharedReport(await sharedPackages(page)).map(line => `  ${line}`)].join('\n'))
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await browser.close()
}
