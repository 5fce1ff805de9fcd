import { type Browser, chromium } from 'playwright-core'
import { quietly } from '../../../scripts/lib/chromium.mjs'

/** The browser of tests and pictures, without a window of its own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: quietly })
}
