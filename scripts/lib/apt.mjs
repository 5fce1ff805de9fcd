// Installs Debian packages if the machine permits it.
import { run } from './setup.mjs'

/** @type {Promise<number> | undefined} */
let aptUpdate

/**
 * Installs packages with apt-get, as root or with passwordless sudo. The caller checks whether it worked.
 * @param {readonly string[]} packages
 */
export async function installPackages(packages) {
  const isRoot = process.getuid?.() === 0
  // Without these, apt-get waits two minutes for each server that does not respond.
  const timeouts = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20']
  const apt = (/** @type {string[]} */ args) =>
    (isRoot
      ? run('apt-get', [...timeouts, ...args])
      : run('sudo', ['-n', 'apt-get', ...timeouts, ...args])
    ).catch(() => 1)
  aptUpdate ??= apt(['update', '-qq'])
  await aptUpdate
  await apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
}
