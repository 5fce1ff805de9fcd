import { createHash } from 'node:crypto'
import { mkdir, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { copyCheckout } from './lib/checkout-copy.mjs'
import { nodeBinary, root, run, toolEnvironment } from './lib/setup.mjs'
import { hashSources } from './release-id.mjs'
import { filesOf } from './shipping/folder.mjs'
import { stampOf } from './shipping/publish.mjs'

const APPS = ['shell', 'mfe-admin', 'mfe-public', 'mfe-user']

/** Returns the hash of each file of the builds in a checkout by path, including source maps. */
async function hashesIn(folder: string): Promise<Record<string, string>> {
  const files = APPS.flatMap(app => filesOf(path.join(folder, app, 'dist'))).sort()
  const hash = async (file: string) =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  return Object.fromEntries(
    await Promise.all(files.map(async file => [path.relative(folder, file), await hash(file)])),
  )
}

/**
 * Builds every app of a checkout.
 * @returns the hashes of the files
 */
async function buildIn(folder: string): Promise<Record<string, string>> {
  const rspack = path.join(folder, 'node_modules/@rspack/cli/bin/rspack.js')
  const args = [rspack, 'build', '-c', 'rspack.config.ts', '--mode', 'production']
  const code = await run(nodeBinary(), args, { cwd: folder, env: toolEnvironment(), stdio: 'ignore' })
  if (code !== 0) throw new Error(`the build in ${folder} ended with ${code}`)
  return hashesIn(folder)
}

/** Returns whether this checkout has builds of its current sources. `npm test` builds each app separately. */
async function isBuilt(): Promise<boolean> {
  const stamps = await Promise.all(APPS.map(app => stampOf(path.join(root, app, 'dist'))))
  return APPS.every((app, index) => stamps[index]?.sources === hashSources(app))
}

test('builds are identical in any folder, including source maps', async () => {
  const { folder, remove } = await copyCheckout()
  const deeper = path.join(folder, 'one-deeper', 'and-deeper')
  const movedFolder = `${folder}-moved`
  try {
    const first = (await isBuilt()) ? await hashesIn(root) : await buildIn(folder)
    expect(Object.keys(first).length).toBeGreaterThan(100)
    await rename(folder, movedFolder)
    await mkdir(path.dirname(deeper), { recursive: true })
    await rename(movedFolder, deeper)
    expect(await buildIn(deeper)).toEqual(first)
  } finally {
    await remove()
  }
})
