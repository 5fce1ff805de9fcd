// What the audits share: installing and running external programs, and a disposable portal.
import { captureOutput } from '../../scripts/lib/output.mjs'
import { run } from '../../scripts/lib/setup.mjs'

/**
 * The result of an audit: a summary of its scope with figures, and one line per finding.
 * @typedef {{ summary: string, found: string[] }} Outcome
 */

/**
 * Returns whether a command is installed.
 * @param {string} command @returns {Promise<boolean>}
 */
export const isAvailable = async command => (await captureOutput('which', [command])).code === 0

/**
 * Installs a program from its Debian package if it is missing.
 * @param {string} command
 * @param {string} name of the package
 */
export async function ensureInstalled(command, name = command) {
  if (await isAvailable(command)) return
  console.error(`${command} is missing: installing ${name} with apt-get …`)
  const isRoot = process.getuid?.() === 0
  const apt = args =>
    isRoot
      ? run('apt-get', args, { stdio: ['ignore', 2, 2] })
      : run('sudo', ['-n', 'apt-get', ...args], { stdio: ['ignore', 2, 2] })
  await apt(['update', '-qq'])
  await apt(['install', '-y', '-qq', '--no-install-recommends', name])
  if (!(await isAvailable(command)))
    throw new Error(`${name} could not be installed. Install it and try again.`)
}

/**
 * Runs `use` with a portal that has demo data, on free ports.
 * @template T
 * @param {(portal: import('../../edge-api/test/servers/portal-server.ts').RunningPortal) => Promise<T>} use
 * @param {Record<string, string>} environment
 */
export async function withPortal(use, environment = {}) {
  const { startPortal } = await import('../../edge-api/test/servers/portal-server.ts')
  const portal = await startPortal(environment)
  try {
    return await use(portal)
  } finally {
    await portal.stop()
  }
}
