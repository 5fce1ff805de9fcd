import { isRecord } from './is-record.ts'
import type { NavItem, NavOffer, RemoteAccess, RemoteModule, RemoteRoute } from './remote.ts'
import type { Role } from './shapes.ts'

/*
 * Parses a micro-frontend's module without zod, which would not fit into the landing page's budget. Every value is read once
 * and copied, so that a getter cannot throw or return another value while the dashboard renders.
 */

const knownRoles: Readonly<Record<Role, true>> = { user: true, admin: true, super_admin: true }
const isRole = (value: unknown): value is Role =>
  typeof value === 'string' && Object.hasOwn(knownRoles, value)

/** Matches a relative path of plain segments and `:parameters`, which cannot leave the remote's area. */
const RELATIVE_PATH = /^(?:(?!\.)[\w.~-]+|:\w+)(?:\/(?:(?!\.)[\w.~-]+|:\w+))*$/

const API_PATH = /^(?:\/[a-z0-9-]+)+$/
const isApiPath = (value: unknown): value is NavOffer['path'] =>
  typeof value === 'string' && value.length <= LIMITS.path && API_PATH.test(value)

/** Maximum numbers of entries, and maximum lengths of texts, that the dashboard accepts. */
const LIMITS = { navigation: 50, routes: 500, path: 200, text: 100, offers: 5 }

/** Characters that reorder or hide the text around them: controls, line separators and bidi controls. */
const UNSAFE_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

const COMPONENT_TYPES: readonly unknown[] = [Symbol.for('react.memo'), Symbol.for('react.forward_ref')]

/** True for a function component, or one wrapped in `memo` or `forwardRef`. */
const isComponent = (value: unknown): value is NavItem['icon'] =>
  typeof value === 'function' || (isRecord(value) && COMPONENT_TYPES.includes(value.$$typeof))

function assertThat(condition: boolean, location: string, expected: string): asserts condition {
  if (!condition) throw new TypeError(`${location} must be ${expected}`)
}

/** True for valid menu text: one line, not empty, not too long, and without characters that reorder text. */
export const isMenuText = (value: string): boolean =>
  value.trim() !== '' && value.length <= LIMITS.text && !UNSAFE_CHARACTERS.test(value)

function parseText(value: unknown, location: string): string {
  assertThat(typeof value === 'string' && value.trim() !== '', location, 'a text')
  assertThat(isMenuText(value), location, `a line of up to ${LIMITS.text} characters without controls`)
  return value
}

function parseAccess(value: unknown, location: string): RemoteAccess {
  if (value === 'public') return value
  const roles: unknown = Array.isArray(value) ? [...value] : value
  assertThat(
    Array.isArray(roles) && roles.length > 0 && roles.every(isRole),
    location,
    `"public" or a list of roles`,
  )
  return roles
}

function parseList<T>(
  value: unknown,
  location: 'routes' | 'navigation',
  parseEntry: (entry: Record<string, unknown>, location: string) => T,
): T[] {
  assertThat(Array.isArray(value), location, 'a list')
  assertThat(value.length <= LIMITS[location], location, `a list of up to ${LIMITS[location]}`)
  return Array.from(value, (entry: unknown, index) => {
    const entryPath = `${location}[${index}]`
    assertThat(isRecord(entry), entryPath, 'an object')
    return parseEntry(entry, entryPath)
  })
}

function parseRoute(entry: Record<string, unknown>, location: string): RemoteRoute {
  const { path, access, tab, title, lazy } = entry
  assertThat(
    typeof path === 'string' && path.length <= LIMITS.path && (path === '' || RELATIVE_PATH.test(path)),
    `${location}.path`,
    'a path below its area',
  )
  assertThat(typeof lazy === 'function', `${location}.lazy`, 'a function')
  return {
    path,
    access: parseAccess(access, `${location}.access`),
    ...(tab !== undefined && { tab: parseText(tab, `${location}.tab`) }),
    title: parseText(title, `${location}.title`),
    // The component that it resolves to is validated on render, inside the page's error boundary.
    lazy: async () => lazy(),
  }
}

function parseOffers(value: unknown, location: string): NavOffer[] {
  assertThat(
    Array.isArray(value) && value.length > 0 && value.length <= LIMITS.offers,
    location,
    `a list of 1 to ${LIMITS.offers} offers`,
  )
  return Array.from(value, (entry: unknown, index) => {
    const entryPath = `${location}[${index}]`
    assertThat(isRecord(entry), entryPath, 'an object')
    const { path, isOffered } = entry
    assertThat(isApiPath(path), `${entryPath}.path`, 'the path of a route of the API')
    assertThat(typeof isOffered === 'function', `${entryPath}.isOffered`, 'a function')
    return { path, isOffered: reply => isOffered(reply) === true }
  })
}

function parseNavItem(entry: Record<string, unknown>, location: string): NavItem {
  const { tab, label, icon, access, offers } = entry
  assertThat(isComponent(icon), `${location}.icon`, 'a component')
  return {
    tab: parseText(tab, `${location}.tab`),
    label: parseText(label, `${location}.label`),
    icon,
    access: parseAccess(access, `${location}.access`),
    ...(offers !== undefined && { offers: parseOffers(offers, `${location}.offers`) }),
  }
}

/** True if one user could have access to both pages. If these had the same path, the second could never be opened. */
const overlaps = (a: RemoteAccess, b: RemoteAccess) =>
  a === 'public' || b === 'public' || a.some(role => b.includes(role))

/**
 * Parses the module that a micro-frontend exposes.
 * @throws TypeError that names the first invalid value
 */
export function parseRemoteModule(exposed: unknown): RemoteModule {
  assertThat(isRecord(exposed), 'the module', 'an object')
  const { contract, routes, navigation } = exposed
  assertThat(typeof contract === 'number', 'contract', 'a number')
  const pages = parseList(routes, 'routes', parseRoute)
  for (const [index, page] of pages.entries())
    assertThat(
      !pages
        .slice(0, index)
        .some(earlier => earlier.path === page.path && overlaps(earlier.access, page.access)),
      `routes[${index}].path`,
      'in the routes once',
    )
  const items = parseList(navigation, 'navigation', parseNavItem)
  for (const [index, { tab }] of items.entries()) {
    const location = `navigation[${index}].tab`
    assertThat(
      pages.some(page => page.path === tab),
      location,
      'the path of a route',
    )
    assertThat(items.findIndex(item => item.tab === tab) === index, location, 'in the navigation once')
  }
  return { contract, routes: pages, navigation: items }
}
