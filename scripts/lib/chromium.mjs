// Finds Chromium for browser tests, or installs it from Debian's packages.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installPackages } from './apt.mjs'

const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Browser features that are disabled. The address bar's popup pages take half of the CPU time of each new window. The other
 * features are those that playwright-core disables, because this list replaces its own.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
]

/** Arguments for a headless Chromium without a GPU, which it would otherwise emulate on the CPU. */
export const headlessArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
]

/** Returns the path of a Chromium, or undefined if there is none. */
export const findChromium = () => candidates.find(file => file && existsSync(file))

const SHELL_PATH = '/usr/bin/chromium-headless-shell'

/**
 * Returns the path of Chromium's headless shell, which renders pages in the same way but spends no CPU time on windows.
 * Installs the one with the version of Debian's Chromium. Returns undefined if that is not possible, or if another browser
 * was chosen.
 * @param {string} chromium the browser of the tests
 * @returns {Promise<string | undefined>}
 */
export async function ensureHeadlessShell(chromium) {
  const { HEADLESS_SHELL: chosen } = process.env
  if (chosen !== undefined) return chosen || undefined
  if (chromium !== '/usr/bin/chromium') return undefined
  if (!existsSync(SHELL_PATH)) {
    const dpkgOutput = spawnSync('dpkg-query', ['--show', 'chromium'], { encoding: 'utf8' }).stdout
    const version = dpkgOutput?.split('\t')[1]?.trim()
    // A headless shell of another version would replace the browser itself.
    if (version) await installPackages([`chromium-headless-shell=${version}`])
  }
  return existsSync(SHELL_PATH) ? SHELL_PATH : undefined
}

/** Returns the path of Chromium, which is installed if necessary. Exits with instructions if that is not possible. */
export async function ensureChromium() {
  const found = findChromium()
  if (found) return found
  console.error('Chromium is missing: installing it with apt-get …')
  // Liberation Sans replaces Arial: without either, text moves when the page's own typeface arrives.
  await installPackages(['chromium', 'fonts-noto-core', 'fonts-liberation'])
  const installedPath = findChromium()
  if (installedPath) return installedPath
  console.error('Chromium could not be installed. Install it yourself, or set CHROMIUM=/path/to/chromium.')
  process.exit(1)
}
