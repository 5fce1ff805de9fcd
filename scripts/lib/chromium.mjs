// The browser of the tests: Chromium as Debian packages it. Found, or installed through apt where that is possible.
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
 * What the browser does without. The address bar's own pages, which nobody sees here, take half of the processor time
 * of each new window; the others are switched off by playwright-core too, whose list this one replaces.
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

/** For a browser without a window, which leaves the processor to the page. Without a card it would emulate one there. */
export const quietly = [
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

/** Path of a Chromium, or undefined. */
export const findChromium = () => places.find(place => place && existsSync(place))

/** Finds Chromium or installs it. Exits with what to do when neither works. */
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
