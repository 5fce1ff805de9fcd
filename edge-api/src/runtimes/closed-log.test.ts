import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { denoArguments } from '../../../scripts/lib/deno-permissions.mjs'
import { buildPermissions, planOf } from '../../../scripts/lib/portal.mjs'
import { denoBinary, nodeBinary, root, run } from '../../../scripts/lib/setup.mjs'
import { makeTestEnvironment } from '../../test/servers/portal-server.ts'
import { waitUntilResponding } from '../../test/servers/sqld-server.ts'
import { testSecrets } from '../../test/servers/worker-server.ts'

let folder: string
beforeAll(async () => {
  expect(await run(nodeBinary(), ['edge-api/bundle.mjs'])).toBe(0)
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-closed-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test.each(['deno', 'node'] as const)(
  'the portal on %s continues if its log pipe is closed, and still stops on request',
  { tags: ['OPERATIONS-4'] },
  async runtime => {
    const variables: Record<string, string> = {
      ...(await makeTestEnvironment(folder)),
      ...testSecrets,
      SEED: 'none',
      LOG_LEVEL: 'info',
      MAIL_FOLDER: path.join(folder, 'mailbox'),
    }
    const [command, args] =
      runtime === 'node'
        ? [nodeBinary(), ['edge-api/dist/node.js']]
        : [
            denoBinary(),
            denoArguments(
              'edge-api/src/runtimes/server.ts',
              variables,
              buildPermissions(planOf(variables), variables).portal,
            ),
          ]
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const address = `http://127.0.0.1:${variables.PORT}/api/health`
    try {
      await waitUntilResponding(address, child)
      child.stdout.destroy()
      for (let turn = 0; turn < 20; turn++) {
        expect((await fetch(address)).status).toBe(200)
        // Log lines are written in batches; the wait puts each request into a separate batch.
        await new Promise(resolve => setTimeout(resolve, 30))
      }
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  },
)
