import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeMemoryFolder } from './lib/memory-folder.mjs'

test.skipIf(!existsSync('/dev/shm'))('is removed with its contents when the process exits', () => {
  const module = path.join(import.meta.dirname, 'lib/memory-folder.mjs')
  const code = `import { existsSync, writeFileSync } from 'node:fs'
    import { makeMemoryFolder } from ${JSON.stringify(module)}
    const folder = makeMemoryFolder('/dev/shm', 0)
    writeFileSync(folder + '/file', '')
    process.stdout.write(folder)
    process.exit(existsSync(folder) ? 3 : 4)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  })
  expect(status).toBe(3)
  expect(stdout).toMatch(/^\/dev\/shm\/./)
  expect(existsSync(stdout)).toBe(false)
})

test('is not created on a disk, without a folder or without room', () => {
  expect(makeMemoryFolder(import.meta.dirname, 0)).toBeUndefined()
  expect(makeMemoryFolder(path.join(import.meta.dirname, 'absent'), 0)).toBeUndefined()
  expect(makeMemoryFolder('/dev/shm', Number.POSITIVE_INFINITY)).toBeUndefined()
})
