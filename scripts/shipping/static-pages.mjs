// Renders the public pages of a release to HTML (docs/decisions/108-static-pages.md).
import { bundledRunner, runConfined } from './confined.mjs'

/** The micro-frontend whose pages are for visitors. */
const PUBLIC = 'mfe-public'

/** Time limit in milliseconds: a few dozen renderings. */
const LIMIT = 60_000

/**
 * Returns the static pages of a build. A page that cannot be rendered, for example because it needs more of a browser, is
 * left out and named on standard error: browsers then render it as before.
 * @param {string} build
 * @param {string} app
 * @param {string} release
 * @returns {Promise<import('@portal/contract/static-page').StaticPages | undefined>}
 */
export async function staticPagesOf(build, app, release) {
  if (app !== PUBLIC) return undefined
  const runner = await bundledRunner('page-runner')
  const { error, stdout, stderr } = await new Promise(resolve =>
    runConfined(runner, build, [app, release], LIMIT, (error, stdout, stderr) =>
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
