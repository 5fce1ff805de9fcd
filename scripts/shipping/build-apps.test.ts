import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from './build-apps.mjs'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-build-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(app: string, file: string): Promise<void> {
  await mkdir(path.join(folder, app, 'dist', 'js'), { recursive: true })
  await writeFile(path.join(folder, app, 'dist', 'js', file), '')
}

test('a build that turbo takes from its cache contains no file of an earlier build', async () => {
  for (const app of ['shell', 'mfe-user', 'mfe-admin']) await write(app, 'earlier.js')
  // Behaves like turbo, which adds the files in its cache to those that are already there.
  const builder = async (apps: readonly string[]) => {
    for (const app of apps) await write(app, 'restored.js')
    return 0
  }
  await build(['shell', 'mfe-user'], { folder, builder })
  const files = (app: string) => readdir(path.join(folder, app, 'dist', 'js'))
  expect(await files('shell')).toEqual(['restored.js'])
  expect(await files('mfe-user')).toEqual(['restored.js'])
  // This app was not built, so its files are still there.
  expect(await files('mfe-admin')).toEqual(['earlier.js'])
})

test('a failed build is reported with turbo’s exit code', async () => {
  await expect(build(['shell'], { folder, builder: async () => 3 })).rejects.toThrow('turbo exited with 3')
})
