import { expect, test } from 'vitest'
import { tooOld } from './lib/node-version.mjs'

/* The oldest Node that the commands run on. */

test('a Node too old is named, with the one that is needed', () => {
  for (const version of ['18.20.4', '20.10.0']) {
    expect(tooOld(version)).toContain(`This is Node ${version}; Node 20.11.0 or newer is needed.`)
  }
})

test('the oldest that will do, and newer ones, pass', () => {
  for (const version of ['20.11.0', '20.20.2', '22.0.0', '24.21.0']) expect(tooOld(version)).toBeUndefined()
})
