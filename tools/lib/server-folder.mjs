// Assembles the files that a server needs besides the built front ends: Deno, the bundled API with its commands, the native
// driver, and the command `portal`. Nothing is installed or built on the server.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { denoBinary, root } from '../../scripts/lib/setup.mjs'

/**
 * Returns the folders of the native driver for this platform, and of what it loads. On Linux, Deno also needs the GNU C
 * library.
 */
function driverFolders() {
  const suffix = { linux: '-gnu', win32: '-msvc' }[process.platform] ?? ''
  return ['libsql', `@libsql/${process.platform}-${process.arch}${suffix}`, '@neon-rs/load']
}

/**
 * Fills the folder of a server, for the platform on which this runs.
 * @param {string} target
 */
export async function fillServerFolder(target) {
  const inTarget = (...parts) => path.join(target, ...parts)
  await cp(path.join(root, 'edge-api/dist/server'), inTarget('app'), { recursive: true })
  await cp(denoBinary(), inTarget('deno'))
  for (const item of driverFolders())
    await cp(path.join(root, 'node_modules', item), inTarget('node_modules', item), { recursive: true })
  const { version } = JSON.parse(await readFile(path.join(root, 'node_modules/libsql/package.json'), 'utf8'))
  // Deno reads this file to resolve package names.
  const manifest = { private: true, type: 'module', dependencies: { libsql: version } }
  await writeFile(inTarget('package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  // The bundle is two folders deep, like its source, because it finds the root folder from there.
  await build({
    entryPoints: [path.join(root, 'scripts/lib/server-arguments.mjs')],
    outfile: inTarget('scripts/lib/server-arguments.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    logLevel: 'warning',
  })
  await mkdir(inTarget('deploy'))
  for (const item of ['server', 'nginx', 'caddy', 'prometheus', 'grafana'])
    await cp(path.join(root, 'deploy', item), inTarget('deploy', item), { recursive: true })
  await cp(path.join(root, 'deploy/server/portal'), inTarget('portal'))
}
