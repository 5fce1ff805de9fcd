// The product's bill of materials (CycloneDX): its packages, where they come from, and their licences. Build and test tools are
// not part of it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { captureOutput } from '../../scripts/lib/output.mjs'
import { root } from '../../scripts/lib/setup.mjs'

/**
 * @typedef {{ name?: string, version?: string, resolved?: string, integrity?: string, link?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked
 * @typedef {{ name?: string, packages: Record<string, Locked> }} Lock
 * @typedef {{ license?: { id?: string, name?: string }, expression?: string }} Licence
 * @typedef {{ name: string, version: string, purl: string, hashes?: unknown[], licenses?: Licence[] }} Component
 */

/** The licences that are allowed in a proprietary product. */
const ALLOWED_LICENCES =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|OFL-1\.1|CC0-1\.0|Unlicense|BlueOak-1\.0\.0|Zlib)$/

/**
 * Returns the content of the lock file in a folder.
 * @returns {Lock}
 */
export const readLock = (folder = root) =>
  JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))

/** The workspaces that are shipped; all other packages of the product are their dependencies. */
const SHIPPED_WORKSPACES = ['shell', 'mfe-public', 'mfe-user', 'mfe-admin', 'edge-api']

/**
 * Returns the paths that all packages of the product have in the lock file. `npm sbom --omit=dev` would omit those that tests
 * need too.
 * @param {Lock} lock
 * @returns {Set<string>} such as `edge-api` and `node_modules/hono`
 */
function shippedPaths({ packages }) {
  const paths = new Set()
  /** Returns the path of the package to which `name` resolves in the folder `from`: in the nearest `node_modules` above it. */
  const findPackage = (from, name) => {
    for (
      let folder = from;
      ;
      folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$|(?:^|\/)[^/]+$/, '')
    ) {
      const packagePath = `${folder && `${folder}/`}node_modules/${name}`
      if (packages[packagePath])
        return packages[packagePath].link ? packages[packagePath].resolved : packagePath
      if (!folder) return undefined
    }
  }
  const add = packagePath => {
    if (!packagePath || paths.has(packagePath)) return
    paths.add(packagePath)
    const { dependencies, optionalDependencies } = packages[packagePath] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(findPackage(packagePath, name))
  }
  for (const workspace of SHIPPED_WORKSPACES) add(workspace)
  return paths
}

/**
 * Returns the bill of materials as JSON, and the third-party packages in it, including native binaries for every platform.
 * @returns {Promise<{ text: string, packages: Component[] }>}
 */
export async function billOfMaterials() {
  const { out, err } = await captureOutput(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'],
    {
      cwd: root,
    },
  )
  if (!out.startsWith('{')) throw new Error(err)
  const bill = JSON.parse(out)
  const lock = readLock()
  const references = new Set(
    [...shippedPaths(lock)].map(packagePath => {
      const { name = packagePath.split('node_modules/').at(-1), version } = lock.packages[packagePath] ?? {}
      return `${name}@${version}`
    }),
  )
  const { component } = bill.metadata
  // npm uses the name of the folder here.
  component.name = lock.name
  bill.components = bill.components.filter(item => references.has(item['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(item => references.has(item)) }))
  bill.dependencies.unshift({
    ref: component['bom-ref'],
    dependsOn: SHIPPED_WORKSPACES.map(
      workspace => `${lock.packages[workspace]?.name}@${lock.packages[workspace]?.version}`,
    ),
  })
  // Our own workspaces are left out: they have no hash.
  const packages = bill.components.filter(({ hashes }) => hashes)
  return { text: `${JSON.stringify(bill, null, 2)}\n`, packages }
}

/** @param {readonly Component[]} packages @returns {string[]} packages without an allowed licence */
export function findRefusedLicences(packages) {
  return packages.flatMap(({ name, version, licenses = [] }) => {
    const names = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '')
    const isAllowed = names.some(licence =>
      licence.split(/ (?:OR|AND) |[()]/).some(id => ALLOWED_LICENCES.test(id)),
    )
    return isAllowed ? [] : [`${name} ${version}: licence ${names.join(', ') || 'unknown'}`]
  })
}

/**
 * Returns the packages in a lock file that are not from the npm registry or have no SHA-512, including build and test tools.
 * @param {Lock} lock
 * @returns {string[]}
 */
export function findForeignPackages({ packages }) {
  return Object.entries(packages).flatMap(([packagePath, { resolved, integrity = '', link }]) => {
    if (!packagePath.includes('node_modules/') || link) return []
    if (resolved && !resolved.startsWith('https://registry.npmjs.org/'))
      return [`${packagePath}: from ${resolved}`]
    return /^sha512-/.test(integrity) ? [] : [`${packagePath}: without a SHA-512`]
  })
}
