// Packages of Debian and its kin, installed where that is possible.
import { run } from './setup.mjs'

/**
 * Installs packages through apt-get, as root or through sudo without a password. Whether it worked, the caller looks for.
 * @param {readonly string[]} packages
 */
export async function installPackages(packages) {
  const root = process.getuid?.() === 0
  const apt = (/** @type {string[]} */ args) =>
    (root ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args])).catch(() => 1)
  await apt(['update', '-qq'])
  await apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
}
