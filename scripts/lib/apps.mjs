// Finds the browser apps: the shell and each `mfe-…` folder. `portal` in an app's package.json contains everything that scripts
// need to know about it, so adding a micro-frontend only takes a folder.
import './node-version.mjs'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SHELL_PORT = 4300

/**
 * The dashboard area that a micro-frontend has for some roles, below `/dashboard/<path>`.
 * @typedef {{ path: string, title: string, roles: ('user' | 'admin' | 'super_admin')[] }} Area
 */

/**
 * An app: the name of its folder, and the port of its development server. The micro-frontends of the landing page and of the
 * two dashboards, which the shell knows by name, have no area.
 * @typedef {{ name: string, port: number, area?: Area | undefined }} App
 */

/**
 * Returns the settings in `portal` of a package.json.
 * @returns {Omit<App, 'name'>}
 * @param {string} name
 * @param {string} folder
 */
function readAppSettings(name, folder) {
  const { portal } = JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8'))
  if (!Number.isInteger(portal?.port))
    throw new Error(
      `${name}/package.json: give its development server a port, as "portal": { "port": 4310 }.`,
    )
  return { port: portal.port, area: portal.area }
}

/**
 * Returns every micro-frontend of a checkout, by name.
 * @returns {App[]}
 */
export function microFrontends(folder = root) {
  return readdirSync(folder)
    .filter(name => name.startsWith('mfe-') && existsSync(path.join(folder, name, 'package.json')))
    .sort()
    .map(name => ({ name, ...readAppSettings(name, folder) }))
}

/**
 * Returns the shell and every micro-frontend of a checkout.
 * @returns {App[]}
 */
export const apps = (folder = root) => [{ name: 'shell', port: SHELL_PORT }, ...microFrontends(folder)]
