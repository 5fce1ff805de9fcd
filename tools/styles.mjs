// Checks, as part of `npm run verify`, that the styles in the sources of micro-frontends and their packages only affect their
// own elements. The build and the release check the styles that were built.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { microFrontends } from '../scripts/lib/apps.mjs'
import { root } from '../scripts/lib/setup.mjs'
import { foreignRules } from '../scripts/lib/style-rules.mjs'

/** Style sheets that only the shell and standalone micro-frontends import; they may be global. */
const SHELL_SHEETS = new Set(
  ['base.css', 'fonts.css', 'styles.css', 'tokens.css'].map(file => `packages/ui/src/${file}`),
)

/**
 * Returns the style sheets below a folder, by their path in the checkout.
 * @param {string} folder
 */
function sheetsIn(folder) {
  const source = path.join(root, folder, 'src')
  if (!existsSync(source)) return []
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.css'))
    .map(file => path.posix.join(folder, 'src', file.replaceAll(path.sep, '/')))
}

/** The package of a separate page without micro-frontends, whose styles may therefore be global. */
const SEPARATE_PAGE = 'api-reference'
const packages = readdirSync(path.join(root, 'packages'))
  .filter(name => name !== SEPARATE_PAGE)
  .map(name => `packages/${name}`)
const problems = [...microFrontends().map(({ name }) => name), ...packages].flatMap(folder =>
  sheetsIn(folder)
    .filter(file => !SHELL_SHEETS.has(file))
    .flatMap(file => {
      const app = folder.startsWith('mfe-') ? folder : 'mfe-package'
      const code = readFileSync(path.join(root, file), 'utf8')
      const rules = foreignRules(code, { app, file, module: file.endsWith('.module.css') })
      return rules.map(rule => `${file} ${rule}`)
    }),
)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('Each selector must contain a class of a CSS module: docs/shipping.md, "Styles".')
  process.exitCode = 1
}
