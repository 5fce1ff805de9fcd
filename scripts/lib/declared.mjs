// Which packages the workspaces import, and whether each names them in a package.json of its own. npm lays all packages
// side by side, so that an import works without: until the part is installed or taken elsewhere alone.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'

/** @typedef {{ name: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest */

/** Files, and what the runtime itself has, as `node:fs`. */
const NO_PACKAGE = /^([./#]|[a-z]+:)/
const IMPORTS = [
  /^\s*(?:import|export)\s[^'"`;]*?from '([^']+)'/gm,
  /^\s*import '([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
  /@import\s+(?:url\()?["']([^"']+)["']/g,
]
/** Its runtime comes with the plugin that builds; the rest of it is no part of the product. */
const WITH_THE_BUILD = '@module-federation/enhanced'
/** Files that a build leaves out. */
const AROUND = /(^|\/)(e2e|test|bench|gallery|scripts)\/|[.](test|fixture)[.]tsx?$|^src\/dev[.]tsx$|^[^/]+$/

/** @param {string} folder @returns {Manifest} */
const manifestOf = folder => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))

/**
 * The package that an import names, such as `@portal/ui` for `@portal/ui/button`; nothing for files and built-in modules.
 * @param {string} specifier
 */
export function packageOf(specifier) {
  if (NO_PACKAGE.test(specifier)) return undefined
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  return builtinModules.includes(name) ? undefined : name
}

/**
 * The packages that a source text imports.
 * @param {string} text
 */
export const packagesIn = text => [
  ...new Set(IMPORTS.flatMap(form => [...text.matchAll(form)].map(([, name = '']) => packageOf(name)))),
]

/**
 * Imports of packages that a workspace does not declare: what it ships under `dependencies`, tests and what serves
 * development also under `devDependencies`, where the root's will do too.
 * @param {string} root of the checkout
 * @returns {string[]} one sentence each
 */
export function undeclaredImports(root) {
  const shared = manifestOf(root)
  const found = new Set()
  for (const workspace of globSync(['shell', 'mfe-*', 'edge-api', 'packages/*'], { cwd: root }).sort()) {
    const folder = path.join(root, workspace)
    if (!existsSync(path.join(folder, 'package.json'))) continue
    const own = manifestOf(folder)
    const shipped = new Set([own.name, ...Object.keys(own.dependencies ?? {})])
    const around = new Set([
      ...shipped,
      ...[own, shared].flatMap(({ dependencies, devDependencies }) =>
        Object.keys({ ...dependencies, ...devDependencies }),
      ),
    ])
    const files = globSync('**/*.{ts,tsx,mjs,css}', { cwd: folder, exclude: ['node_modules/**', 'dist/**'] })
    for (const file of files.map(each => each.split(path.sep).join('/'))) {
      const isAround = AROUND.test(file)
      for (const name of packagesIn(readFileSync(path.join(folder, file), 'utf8'))) {
        if (!name) continue
        const forDevelopment = isAround || name === WITH_THE_BUILD
        if ((forDevelopment ? around : shipped).has(name)) continue
        const where = forDevelopment ? 'devDependencies' : 'dependencies'
        found.add(
          `${workspace}/${file} imports ${name}: name it in ${workspace}/package.json, under ${where}.`,
        )
      }
    }
  }
  return [...found].sort()
}
