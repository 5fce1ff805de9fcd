import { execFileSync, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCheckout } from '../../../scripts/lib/checkout-copy.mjs'
import { makeTestEnvironment } from '../servers/portal-server.ts'
import { end, waitUntilResponding } from '../servers/sqld-server.ts'
import { testSecrets } from '../servers/worker-server.ts'

/*
 * Tests the output for servers and the container image: runs build.sh in a clean copy of the checkout, then the portal and its
 * commands from the resulting folder only.
 */

let folder: string
let portal: string
let environment: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-assembled-'))
  const checkout = await copyCheckout()
  const assembled = path.join(folder, 'assembled')
  // The variables that point to the build output of this checkout are removed, so that everything is built.
  const { RELEASES_FOLDER: _, NODE_COMPILE_CACHE: __, ...inheritedVariables } = process.env
  try {
    const script = path.join(checkout.folder, 'deploy/container/build.sh')
    execFileSync('sh', [script, assembled], {
      env: inheritedVariables,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } finally {
    await checkout.remove()
  }
  // The folder is moved, because it must not depend on where it was assembled.
  await cp(assembled, path.join(folder, 'moved'), { recursive: true })
  await rm(assembled, { recursive: true })
  portal = path.join(folder, 'moved/portal')
  const variables = await makeTestEnvironment(path.join(folder, 'data'))
  environment = {
    ...variables,
    ...testSecrets,
    PATH: '/usr/bin:/bin',
    HOME: folder,
    DENO_DIR: `${folder}/deno`,
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const runCommand = (...args: string[]) =>
  execFileSync(portal, args, { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** Starts the portal. @returns the child process once it responds */
async function startAssembledPortal() {
  const child = spawn(portal, ['start'], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  await waitUntilResponding(`http://127.0.0.1:${environment.PORT}/api/health`, child)
  return child
}

test('the portal in the assembled folder starts and serves its front ends, and its commands work', async () => {
  const url = `http://127.0.0.1:${environment.PORT}`
  let child = await startAssembledPortal()
  let settingsBefore: unknown
  try {
    runCommand('health')
    const page = await (await fetch(url)).text()
    const script = /<script[^>]+src="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await fetch(url + script)).status).toBe(200)
    const settings = await fetch(`${url}/api/verification/settings`)
    expect(settings.status).toBe(200)
    settingsBefore = await settings.json()
    expect(runCommand('keys', 'list')).toMatch(/signs/)
    expect(runCommand('audit-verify')).toMatch(/The activity log is intact/)
    expect(runCommand('backup', path.join(folder, 'backups'))).toMatch(/verified\.\n$/)
  } finally {
    await end(child)
  }
  expect(child.exitCode).toBe(0)
  expect(() => runCommand('health')).toThrow()

  const [backup] = (await readdir(path.join(folder, 'backups'))).filter(file => file.endsWith('.db'))
  runCommand('restore', path.join(folder, 'backups', backup ?? ''), '--force')
  child = await startAssembledPortal()
  try {
    expect(await (await fetch(`${url}/api/verification/settings`)).json()).toEqual(settingsBefore)
  } finally {
    await end(child)
  }
})
