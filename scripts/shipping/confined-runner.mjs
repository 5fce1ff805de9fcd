// Runs a release's code in a separate process that can only read the release.
import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../lib/folder.mjs'
import { nodeBinary, root } from '../lib/setup.mjs'

/** @type {Map<string, Promise<string>>} */
const bundles = new Map()

/** @param {string} name */
async function bundle(name) {
  const { build } = await import('esbuild')
  const folder = path.join(root, '.tmp', 'release-check')
  makeFolder(folder)
  const outfile = path.join(folder, `${name}.${process.pid}.mjs`)
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.tsx`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    loader: { '.css': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
    // The bundled CommonJS code of React needs `require` for Node's modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: 'error',
  })
  return outfile
}

/**
 * Bundles a runner of this folder, because it contains TSX and needs React in production mode. Each is bundled only once.
 * @param {string} name
 * @returns {Promise<string>} its file
 */
export function bundleRunner(name) {
  const bundling = bundles.get(name) ?? bundle(name)
  bundles.set(name, bundling)
  return bundling
}

/** The maximum output of a runner, in bytes. */
const MAX_BYTES = 64_000_000

/**
 * Runs a runner on a build, in a separate process.
 * @param {string} runner
 * @param {string} build
 * @param {string[]} args
 * @param {number} limit in milliseconds
 * @param {(error: import('node:child_process').ExecFileException | null, stdout: string, stderr: string) => void} done
 */
export function runConfined(runner, build, args, limit, done) {
  const permissions = [
    '--permission',
    ...[runner, build].map(item => `--allow-fs-read=${realpathSync(item)}`),
  ]
  const node = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512', ...permissions, runner]
  execFile(
    nodeBinary(),
    [...node, realpathSync(build), ...args],
    // The process gets no environment variables, because they may contain secrets.
    { env: {}, timeout: limit, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES },
    done,
  )
}
