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
const path = /^(?:(?!\.)[\w.~-]+|:\w+)(?:\/(?:(?!\.)[\w.~-]+|:\w+))*$/

const apiPath = /^(?:\/[a-z0-9-]+)+$/
const isApiPath = (value: unknown): value is NavOffer['path'] =>
  typeof value === 'string' && value.length <= LIMITS.path && apiPath.test(value)

/** Maximum numbers of entries, and maximum lengths of texts, that the dashboard accepts. */
const LIMITS = { navigation: 50, routes: 500, path: 200, text: 100, offers: 5 }

/** Characters that reorder or hide the text around them: controls, line separators and bidi controls. */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

const components: readonly unknown[] = [Symbol.for('react.memo'), Symbol.for('react.forward_ref')]

/** True for a function component, or one wrapped in `memo` or `forwardRef`. */
const isComponent = (value: unknown): value is NavItem['icon'] =>
  typeof value === 'function' || (isRecord(value) && components.includes(value.$$typeof))

function assertThat(condition: boolean, at: string, what: string): asserts condition {
  if (!condition) throw new TypeError(`${at} must be ${what}`)
}

/** True for valid menu text: one line, not empty, not too long, and without characters that reorder text. */
export const isMenuText = (value: string): boolean =>
  value.trim() !== '' && value.length <= LIMITS.text && !unsafe.test(value)

function text(value: unknown, at: string): string {
  assertThat(typeof value === 'string' && value.trim() !== '', at, 'a text')
  assertThat(isMenuText(value), at, `a line of up to ${LIMITS.text} characters without controls`)
  return value
}

function accessOf(value: unknown, at: string): RemoteAccess {
  if (value === 'public') return value
  const roles: unknown = Array.isArray(value) ? [...value] : value
  assertThat(
    Array.isArray(roles) && roles.length > 0 && roles.every(isRole),
    at,
    `"public" or a list of roles`,
  )
  return roles
}

function parseList<T>(
  value: unknown,
  at: 'routes' | 'navigation',
  parseEntry: (entry: Record<string, unknown>, at: string) => T,
): T[] {
  assertThat(Array.isArray(value), at, 'a list')
  assertThat(value.length <= LIMITS[at], at, `a list of up to ${LIMITS[at]}`)
  return Array.from(value, (entry: unknown, index) => {
    const entryPath = `${at}[${index}]`
    assertThat(isRecord(entry), entryPath, 'an object')
    return parseEntry(entry, entryPath)
  })
}

function routeOf(entry: Record<string, unknown>, at: string): RemoteRoute {
  const { path: place, access, tab, title, lazy } = entry
  assertThat(
    typeof place === 'string' && place.length <= LIMITS.path && (place === '' || path.test(place)),
    `${at}.path`,
    'a path below its area',
  )
  assertThat(typeof lazy === 'function', `${at}.lazy`, 'a function')
  return {
    path: place,
    access: accessOf(access, `${at}.access`),
    ...(tab !== undefined && { tab: text(tab, `${at}.tab`) }),
    title: text(title, `${at}.title`),
    // The component that it resolves to is validated on render, inside the page's error boundary.
    lazy: async () => lazy(),
  }
}

function offersOf(value: unknown, at: string): NavOffer[] {
  assertThat(
    Array.isArray(value) && value.length > 0 && value.length <= LIMITS.offers,
    at,
    `a list of 1 to ${LIMITS.offers} offers`,
  )
  return Array.from(value, (entry: unknown, index) => {
    const entryPath = `${at}[${index}]`
    assertThat(isRecord(entry), entryPath, 'an object')
    const { path: place, isOffered } = entry
    assertThat(isApiPath(place), `${entryPath}.path`, 'the path of a route of the API')
    assertThat(typeof isOffered === 'function', `${entryPath}.isOffered`, 'a function')
    return { path: place, isOffered: reply => isOffered(reply) === true }
  })
}

function parseNavItem(entry: Record<string, unknown>, at: string): NavItem {
  const { tab, label, icon, access, offers } = entry
  assertThat(isComponent(icon), `${at}.icon`, 'a component')
  return {
    tab: text(tab, `${at}.tab`),
    label: text(label, `${at}.label`),
    icon,
    access: accessOf(access, `${at}.access`),
    ...(offers !== undefined && { offers: offersOf(offers, `${at}.offers`) }),
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
  const pages = parseList(routes, 'routes', routeOf)
  for (const [index, page] of pages.entries())
    assertThat(
      !pages.slice(0, index).some(other => other.path === page.path && overlaps(other.access, page.access)),
      `routes[${index}].path`,
      'in the routes once',
    )
  const items = parseList(navigation, 'navigation', parseNavItem)
  for (const [index, { tab }] of items.entries()) {
    const at = `navigation[${index}].tab`
    assertThat(
      pages.some(page => page.path === tab),
      at,
      'the path of a route',
    )
    assertThat(items.findIndex(item => item.tab === tab) === index, at, 'in the navigation once')
  }
  return { contract, routes: pages, navigation: items }
}
