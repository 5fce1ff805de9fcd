import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/setup.mjs'

/* Tests that the package.json files of the workspaces are consistent. */

const manifest = (folder: string) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
const workspaces = readdirSync(root)
  .filter(name => /^(?:edge-api|mfe-.+|shell)$/.test(name))
  .concat(readdirSync(path.join(root, 'packages')).map(name => `packages/${name}`))

const declared = ['.', ...workspaces].flatMap(folder => {
  const { dependencies, devDependencies, optionalDependencies } = manifest(folder)
  const all: [string, string][] = Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  })
  return all.map(([name, version]) => ({ folder, name, version }))
})

/**
 * Packages that one workspace needs in another version. `packages/client` needs its own TypeScript: openapi-typescript uses the
 * compiler API, which TypeScript 7 does not have.
 */
const SEPARATE = [{ folder: 'packages/client', name: 'typescript' }]

test('the exact version of a package is declared once, and as * elsewhere', () => {
  const isSeparate = (item: { folder: string; name: string }) =>
    SEPARATE.some(({ folder, name }) => folder === item.folder && name === item.name)
  const external = new Set(declared.map(({ name }) => name).filter(name => !name.startsWith('@portal/')))
  const inconsistent = [...external].flatMap(name => {
    const versions = declared.filter(item => item.name === name && item.version !== '*' && !isSeparate(item))
    const isExact = versions.every(({ version }) => /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    return versions.length === 1 && isExact ? [] : [{ name, versions }]
  })
  expect(inconsistent).toEqual([])
})

test('the package.json files declare the Node versions that commands and tools need', () => {
  const { engines, optionalDependencies } = manifest('.')
  const tools = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim()
  expect(engines.node).toBe('>=20')
  for (const platform of ['linux-arm64', 'linux-x64', 'win-x64'])
    expect(optionalDependencies[`node-${platform}`]).toMatch(new RegExp(`^${tools}\\.`))
})
