import { expect, it } from 'vitest'
import { type Compatibility, incompatibilities } from './compatibility.ts'

const requirements: Compatibility = {
  contract: 1,
  start: 1,
  shared: { react: '^19.3.1', '@portal/router': '^0.1.0' },
}
const shell: Compatibility = {
  contract: 1,
  start: 1,
  shared: { react: '19.3.1', '@portal/router': '0.1.4', zustand: '5.1.0' },
}

it('accepts a release whose requirements are met', () => {
  expect(incompatibilities(requirements, shell)).toEqual([])
})

it('reports, for each mismatch, what the release needs and what the shell has', () => {
  const unmetRequirements: Compatibility = {
    contract: 2,
    start: 3,
    shared: { react: '^20.0.0', '@portal/router': '^0.2.0', '@portal/new': '^1.0.0' },
  }
  expect(incompatibilities(unmetRequirements, shell)).toEqual([
    'needs contract 2; the shell has 1',
    'needs start 3; the shell has 1',
    'needs react ^20.0.0; the shell has 19.3.1',
    'needs @portal/router ^0.2.0; the shell has 0.1.4',
    'needs @portal/new ^1.0.0; the shell has none',
  ])
})

it('accepts a newer minor version of React, but not an older one', () => {
  const shellWithReact = (version: string): Compatibility => ({
    ...shell,
    shared: { ...shell.shared, react: version },
  })
  expect(incompatibilities(requirements, shellWithReact('19.9.0'))).toEqual([])
  expect(incompatibilities(requirements, shellWithReact('19.3.0'))).toHaveLength(1)
})

it('treats a version range in unsupported syntax as incompatible', () => {
  expect(incompatibilities({ ...requirements, shared: { react: '>=18' } }, shell)).toHaveLength(1)
})
