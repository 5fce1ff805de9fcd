// The browser apps, from the folders: the shell, and each `mfe-…` beside it. What others must know of a micro-frontend
// stands under `portal` in its own package.json, so that a new folder is all that a new one needs.
import './node-version.mjs'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SHELL_PORT = 4300

/**
 * Where a micro-frontend adds a part of its own to the dashboard of some roles, below `/dashboard/<path>`.
 * @typedef {{ path: string, title: string, roles: ('user' | 'admin' | 'super_admin')[] }} Area
 */

/**
 * An app by its folder, and the port of its development server. The landing page and the two dashboards, which the
 * shell knows itself, have no area.
 * @typedef {{ name: string, port: number, area?: Area | undefined }} App
 */

/**
 * What `portal` in a package.json says. @returns {Omit<App, 'name'>}
 * @param {string} name
 * @param {string} folder
 */
function settingsOf(name, folder) {
  const { portal } = JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8'))
  if (!Number.isInteger(portal?.port))
    throw new Error(
      `${name}/package.json: give its development server a port, as "portal": { "port": 4310 }.`,
    )
  return { port: portal.port, area: portal.area }
}

/**
 * Every micro-frontend of a checkout, by name.
 * @returns {App[]}
 */
export function microFrontends(folder = root) {
  return readdirSync(folder)
    .filter(name => name.startsWith('mfe-') && existsSync(path.join(folder, name, 'package.json')))
    .sort()
    .map(name => ({ name, ...settingsOf(name, folder) }))
}

/**
 * The shell and every micro-frontend of a checkout.
 * @returns {App[]}
 */
export const apps = (folder = root) => [{ name: 'shell', port: SHELL_PORT }, ...microFrontends(folder)]
