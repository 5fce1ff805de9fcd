// What the product is made of besides itself: its bill of materials (CycloneDX), where each package comes from, and
// under which licence. What only builds or tests is no part of it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { output } from '../../scripts/lib/output.mjs'
import { root } from '../../scripts/lib/setup.mjs'

/**
 * @typedef {{ name?: string, version?: string, resolved?: string, integrity?: string, link?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked
 * @typedef {{ name?: string, packages: Record<string, Locked> }} Lock
 * @typedef {{ license?: { id?: string, name?: string }, expression?: string }} Licence
 * @typedef {{ name: string, version: string, purl: string, hashes?: unknown[], licenses?: Licence[] }} Component
 */

/** Licences that a closed product may carry. */
const FREE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|OFL-1\.1|CC0-1\.0|Unlicense|BlueOak-1\.0\.0|Zlib)$/

/** @returns {Lock} */
export const readLock = (folder = root) =>
  JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))

/** What is shipped; all else is carried because one of these needs it. */
const SHIPPED = ['shell', 'mfe-public', 'mfe-user', 'mfe-admin', 'edge-api']

/**
 * Places in the lock file of everything that the product carries. `npm sbom --omit=dev` leaves out what something of the
 * tests needs too.
 * @param {Lock} lock
 * @returns {Set<string>} as `edge-api` and `node_modules/hono`
 */
function carried({ packages }) {
  const found = new Set()
  /** Where `name` is found from a place: in the nearest `node_modules` above it. */
  const placeOf = (from, name) => {
    for (let at = from; ; at = at.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$|(?:^|\/)[^/]+$/, '')) {
      const place = `${at && `${at}/`}node_modules/${name}`
      if (packages[place]) return packages[place].link ? packages[place].resolved : place
      if (!at) return undefined
    }
  }
  const take = place => {
    if (!place || found.has(place)) return
    found.add(place)
    const { dependencies, optionalDependencies } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) take(placeOf(place, name))
  }
  for (const place of SHIPPED) take(place)
  return found
}

/**
 * The bill of materials, as JSON text, and of it the packages of others; natives for every platform.
 * @returns {Promise<{ text: string, packages: Component[] }>}
 */
export async function billOfMaterials() {
  const { out, err } = await output('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
  })
  if (!out.startsWith('{')) throw new Error(err)
  const bill = JSON.parse(out)
  const lock = readLock()
  const refs = new Set(
    [...carried(lock)].map(place => {
      const { name = place.split('node_modules/').at(-1), version } = lock.packages[place] ?? {}
      return `${name}@${version}`
    }),
  )
  const { component } = bill.metadata
  // npm puts the name of the folder there.
  component.name = lock.name
  bill.components = bill.components.filter(each => refs.has(each['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(each => refs.has(each)) }))
  bill.dependencies.unshift({
    ref: component['bom-ref'],
    dependsOn: SHIPPED.map(place => `${lock.packages[place]?.name}@${lock.packages[place]?.version}`),
  })
  // Workspaces, which are the product itself, come without a hash.
  const packages = bill.components.filter(({ hashes }) => hashes)
  return { text: `${JSON.stringify(bill, null, 2)}\n`, packages }
}

/** @param {readonly Component[]} packages @returns {string[]} those under no licence that the product may carry */
export function refusedLicences(packages) {
  return packages.flatMap(({ name, version, licenses = [] }) => {
    const named = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '')
    const free = named.some(licence => licence.split(/ (?:OR|AND) |[()]/).some(one => FREE.test(one)))
    return free ? [] : [`${name} ${version}: licence ${named.join(', ') || 'unknown'}`]
  })
}

/**
 * Everything that the lock file takes from elsewhere than the npm registry, or whose bytes it does not hold to a SHA-512;
 * what builds and tests included.
 * @param {Lock} lock
 * @returns {string[]}
 */
export function foreignPackages({ packages }) {
  return Object.entries(packages).flatMap(([place, { resolved, integrity = '', link }]) => {
    if (!place.includes('node_modules/') || link) return []
    if (resolved && !resolved.startsWith('https://registry.npmjs.org/')) return [`${place}: from ${resolved}`]
    return /^sha512-/.test(integrity) ? [] : [`${place}: without a SHA-512`]
  })
}
