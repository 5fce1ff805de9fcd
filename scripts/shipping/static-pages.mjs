// Renders the public pages of a release to HTML (docs/decisions/113-static-pages.md).
import { bundleRunner, runConfined } from './confined-runner.mjs'

/** The micro-frontend whose pages are for visitors, and are rendered. */
const PUBLIC_APP = 'mfe-public'

/**
 * Time limits in milliseconds: for loading or rendering one page, and for all pages. They are long, because no page may be lost
 * on a busy machine.
 */
const PAGE_LIMIT_MS = 30_000
const LIMIT_MS = 300_000

/**
 * Returns the static pages of a build. A page that cannot be rendered, for example because it needs more browser features, is
 * left out and named on standard error; browsers then render that page themselves.
 * @param {string} build
 * @param {string} app
 * @param {string} release
 * @param {number} [pageLimitMs]
 * @returns {Promise<import('@portal/contract/static-page').StaticPages | undefined>}
 */
export async function buildStaticPages(build, app, release, pageLimitMs = PAGE_LIMIT_MS) {
  if (app !== PUBLIC_APP) return undefined
  const runner = await bundleRunner('page-runner')
  const { error, stdout, stderr } = await new Promise(resolve =>
    runConfined(runner, build, [app, release, `${pageLimitMs}`], LIMIT_MS, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    ),
  )
  if (error || stdout === '') {
    console.error(
      `${app} ${release} has no static pages: ${stderr.trim().split('\n').at(-1) || error?.message}`,
    )
    return undefined
  }
  const { failed, ...pages } = JSON.parse(stdout)
  for (const [path, reason] of Object.entries(failed))
    console.error(`${app} ${release}: ${path} has no static page: ${reason}`)
  return pages
}
