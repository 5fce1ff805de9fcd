import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort } from './lib/processes.mjs'
import { root } from './lib/setup.mjs'

/* Tests the doctor's findings about ports and the data folder. */

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a server that answers every request with this text. Returns its port. */
async function startServerOnFreePort(body: string): Promise<string> {
  const port = await freePort()
  const server = createServer((_, response) => response.end(body))
  servers.push(server)
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return String(port)
}

function runDoctor(ports: Record<string, string>): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/doctor.mjs'], {
      cwd: root,
      env: { ...process.env, HOST: '127.0.0.1', ...ports },
    })
    let output = ''
    child.stdout.on('data', part => {
      output += part
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, output }))
  })
}

test('reports a port in use, with a fix', async () => {
  const PORT = await startServerOnFreePort('hello')
  const PAYMENT_PORT = String(await freePort())
  const { code, output } = await runDoctor({ PORT, PAYMENT_PORT })
  expect(code).toBe(1)
  expect(output).toContain(
    `WRONG port ${PORT} is free\n      Stop the program that uses it, or choose another one: PORT=`,
  )
  expect(output).toContain(`ok    port ${PAYMENT_PORT} is free`)
})

test('accepts ports that are used by a running portal', async () => {
  const PORT = await startServerOnFreePort('{"status":"ok"}')
  const PAYMENT_PORT = await startServerOnFreePort('{"status":"ok"}')
  const { code, output } = await runDoctor({ PORT, PAYMENT_PORT })
  expect(output).toContain(`ok    port ${PORT} is used by this portal, which is running`)
  expect(output).toContain(`ok    port ${PAYMENT_PORT} is used by this portal, which is running`)
  expect(code).toBe(0)
})

test('reports a port that is not a number and a host of another machine, with an example', async () => {
  const { code, output } = await runDoctor({ PORT: 'abc', HOST: '192.0.2.1' })
  expect(code).toBe(1)
  expect(output).toContain('WRONG PORT is a valid port\n      PORT: "abc" is not a port from 1 to 65535.')
  expect(output).toContain(
    'WRONG HOST is an address of this machine\n      HOST: "192.0.2.1" is not an address of this machine.',
  )
})

test('accepts a data folder that does not exist yet but can be created', async () => {
  const folder = path.join(tmpdir(), 'portal-of-nobody-yet', 'data')
  const { output } = await runDoctor({ DATABASE_URL: `file:${folder}/portal.db` })
  expect(output).toContain(`ok    ${folder} is writable`)
})
