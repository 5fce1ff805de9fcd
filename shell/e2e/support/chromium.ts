import { type Browser, chromium } from 'playwright-core'
import { headlessArguments } from '../../../scripts/lib/chromium.mjs'

/**
 * Starts the headless browser of tests and pictures. `npm test` sets `HEADLESS_SHELL` to a lighter one.
 * @param windows true for features of browsers with windows, such as file dialogs
 */
export function launchChromium({ windows = true } = {}): Promise<Browser> {
  const fullBrowser = process.env.CHROMIUM ?? '/usr/bin/chromium'
  return chromium.launch({
    executablePath: windows ? fullBrowser : process.env.HEADLESS_SHELL || fullBrowser,
    args: headlessArguments,
  })
}
