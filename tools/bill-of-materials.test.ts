import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/lib/setup.mjs'
import {
  billOfMaterials,
  findForeignPackages,
  findRefusedLicences,
  readLock,
} from './lib/bill-of-materials.mjs'

test.each(['.', 'tools/audits', 'tools/mutation'])(
  'every package in the lock file of %s comes from the registry with a SHA-512',
  folder => {
    const lock = readLock(path.join(root, folder))
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
    expect(findForeignPackages(lock)).toEqual([])
  },
)

test('names packages that are not from the registry or have no SHA-512', () => {
  const integrity = 'sha512-AA=='
  expect(
    findForeignPackages({
      packages: {
        '': {},
        'packages/ui': {},
        'node_modules/@portal/ui': { resolved: 'packages/ui', link: true },
        'node_modules/fine': { integrity },
        'node_modules/told': { resolved: 'https://registry.npmjs.org/told/-/told-1.0.0.tgz', integrity },
        'node_modules/forked': { resolved: 'git+ssh://git@example.org/forked.git#1', integrity },
        'node_modules/loose': {},
        'node_modules/old/node_modules/weak': { integrity: 'sha1-AA==' },
      },
    }),
  ).toEqual([
    'node_modules/forked: from git+ssh://git@example.org/forked.git#1',
    'node_modules/loose: without a SHA-512',
    'node_modules/old/node_modules/weak: without a SHA-512',
  ])
})

test('lists the product’s packages with version and hash, without build and test tools', async () => {
  const { text, packages } = await billOfMaterials()
  const bill = JSON.parse(text)
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'certificate-verification-portal' } },
  })
  const packageNames = packages.map(({ purl }) => decodeURIComponent(purl).replace('pkg:npm/', ''))
  const lock = readLock()
  for (const app of ['shell', 'mfe-public', 'mfe-user', 'mfe-admin', 'edge-api'])
    for (const name of Object.keys(lock.packages[app]?.dependencies ?? {}))
      if (!name.startsWith('@portal/'))
        expect(packageNames).toContainEqual(expect.stringMatching(`^${name}@\\d`))
  // The list includes transitive packages, native binaries for other platforms, and packages that test tools need too.
  for (const name of ['react-router', '@libsql/darwin-arm64', 'nodemailer', 'ws'])
    expect(packageNames).toContainEqual(expect.stringMatching(`^${name}@\\d`))
  for (const name of ['vitest', 'smtp-server', 'msw', 'turbo', 'yargs'])
    expect(packageNames).not.toContainEqual(expect.stringMatching(`^${name}@`))
  // A package in two versions is listed twice.
  expect(packageNames.filter(item => item.startsWith('@noble/hashes@'))).toHaveLength(2)
  const refs = new Set([bill.metadata.component, ...bill.components].map(item => item['bom-ref']))
  for (const { ref, dependsOn } of bill.dependencies)
    for (const item of [ref, ...dependsOn]) expect(refs).toContain(item)
  expect(findRefusedLicences(packages)).toEqual([])
})

test('names packages with licences that are not allowed', () => {
  const licensed = (name: string, ...licenses: object[]) => ({
    name,
    version: '1.0.0',
    purl: `pkg:npm/${name}@1.0.0`,
    licenses,
  })
  expect(
    findRefusedLicences([
      licensed('free', { license: { id: 'MIT' } }),
      licensed('either', { expression: '(GPL-3.0 OR MIT)' }),
      licensed('bound', { license: { id: 'GPL-3.0' } }),
      licensed('silent'),
    ]),
  ).toEqual(['bound 1.0.0: licence GPL-3.0', 'silent 1.0.0: licence unknown'])
})
