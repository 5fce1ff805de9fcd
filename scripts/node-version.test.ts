import { expect, test } from 'vitest'
import { tooOld, tooOldAlone } from './lib/node-version.mjs'

/* The oldest Node that the commands run on. */

test('a Node too old is named, with the one that is needed', () => {
  for (const version of ['18.20.4', '19.9.0']) {
    expect(tooOld(version)).toContain(`This is Node ${version}; Node 20 or newer is needed.`)
  }
})

test('the oldest that will do, and newer ones, pass', () => {
  for (const version of ['20.0.0', '20.11.0', '20.20.2', '22.0.0', '24.21.0'])
    expect(tooOld(version)).toBeUndefined()
})

test('where no Node comes with the workspace, the one that runs must be that of the tools', () => {
  expect(tooOldAlone('22.12.0', 'darwin-arm64')).toContain('on darwin-arm64: install Node 24')
  expect(tooOldAlone('24.0.0', 'darwin-arm64')).toBeUndefined()
})
