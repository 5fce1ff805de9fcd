// Installs Debian packages where possible.
import { run } from './setup.mjs'

/**
 * Installs packages with apt-get, as root or with passwordless sudo. The caller checks whether it worked.
 * @param {readonly string[]} packages
 */
export async function installPackages(packages) {
  const root = process.getuid?.() === 0
  const apt = (/** @type {string[]} */ args) =>
    (root ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args])).catch(() => 1)
  await apt(['update', '-qq'])
  await apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
}
