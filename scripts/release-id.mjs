// Computes the release ID of an app: a hash of its sources, equal on any machine.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const readJson = file => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

/** Returns the workspace folders that `folder` is built from: itself and its transitive `@portal/*` dependencies. */
function dependenciesOf(folder, found = new Set()) {
  if (found.has(folder)) return found
  found.add(folder)
  const { dependencies = {} } = readJson(`${folder}/package.json`)
  for (const name of Object.keys(dependencies)) {
    const dependency = name.startsWith('@portal/') && `packages/${name.slice('@portal/'.length)}`
    if (dependency && existsSync(path.join(root, dependency, 'package.json')))
      dependenciesOf(dependency, found)
  }
  return found
}

// Tests are not part of the build.
const isShipped = name => !/\.test\.tsx?$/.test(name)

function filesUnder(folder) {
  const full = path.join(root, folder)
  if (!existsSync(full)) return []
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && isShipped(entry.name))
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)))
}

const sharedFiles = [
  'rspack.config.ts',
  'package.json',
  'package-lock.json',
  'shell/index.html',
  'shell/src/boot.js',
  'scripts/lib/build-api-reference.ts',
  'scripts/lib/build-page.ts',
  'scripts/lib/build-plugins.ts',
  'scripts/lib/federation-loader.mjs',
  'scripts/lib/federation-runtime.ts',
  'scripts/lib/federation-start.mjs',
  'scripts/lib/pure-loader.mjs',
]

/** Returns the release ID of an app: `APP_VERSION` if it is set, else the hash of its sources. */
export function releaseIdOf(app) {
  const version = process.env.APP_VERSION
  if (!version) return hashSources(app)
  if (!/^[\w.-]{1,64}$/.test(version))
    throw new Error('APP_VERSION: use letters, digits, dots and dashes, e.g. 1.4.0')
  return version
}

/** Returns 12 hexadecimal characters of the SHA-256 of an app's sources, the packages that it uses and the lock file. */
export function hashSources(app) {
  const folders = [...dependenciesOf(app)]
  const files = folders.flatMap(folder => [
    `${folder}/package.json`,
    ...filesUnder(`${folder}/src`),
    ...(folder === app ? filesUnder(`${folder}/public`) : []),
  ])
  const hash = createHash('sha256')
  for (const file of [...new Set([...sharedFiles, ...files])].sort()) {
    if (!existsSync(path.join(root, file))) continue
    const name = file.split(path.sep).join('/')
    hash.update(
      `${name}\0${createHash('sha256')
        .update(readFileSync(path.join(root, file)))
        .digest('hex')}\n`,
    )
  }
  return hash.digest('hex').slice(0, 12)
}
