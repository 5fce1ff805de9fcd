// Finds Chromium for browser tests, or installs it from Debian's packages.
import { existsSync } from 'node:fs'
import { installPackages } from './apt.mjs'

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Disabled browser features. The pages of the address bar take half of the CPU time of each new window; the others are
 * those that playwright-core disables, whose list this one replaces.
 */
const WITHOUT = [
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

/** For headless browsers: without a GPU, Chromium would emulate one on the CPU. */
export const headlessArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join(',')}`,
]

/** Returns the path of a Chromium, or undefined. */
export const findChromium = () => places.find(place => place && existsSync(place))

/** Finds or installs Chromium. Exits with instructions if neither works. */
export async function ensureChromium() {
  const found = findChromium()
  if (found) return found
  console.error('Chromium is missing: installing it with apt-get …')
  await installPackages(['chromium', 'fonts-noto-core'])
  const installed = findChromium()
  if (installed) return installed
  console.error('Chromium could not be installed. Install it yourself, or set CHROMIUM=/path/to/chromium.')
  process.exit(1)
}
