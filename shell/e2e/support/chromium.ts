import { type Browser, chromium } from 'playwright-core'
import { headlessArguments } from '../../../scripts/lib/chromium.mjs'

/** The headless browser of tests and pictures. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: headlessArguments,
  })
}
