import { expect, test } from 'vitest'
import { nodeProblem, toolsNodeProblem } from './lib/node-version.mjs'

/* Tests which versions of Node the commands accept. */

test('names a version of Node that is too old, and the required one', () => {
  for (const version of ['18.20.4', '19.9.0']) {
    expect(nodeProblem(version)).toContain(`This is Node ${version}; Node 20 or newer is needed.`)
  }
})

test('accepts the oldest supported version and newer ones', () => {
  for (const version of ['20.0.0', '20.11.0', '20.20.2', '22.0.0', '24.21.0'])
    expect(nodeProblem(version)).toBeUndefined()
})

test('requires the version that the tools need if the workspace has no Node for the platform', () => {
  expect(toolsNodeProblem('22.12.0', 'darwin-arm64')).toContain('for darwin-arm64: install Node 24')
  expect(toolsNodeProblem('24.0.0', 'darwin-arm64')).toBeUndefined()
})
