import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort } from './lib/processes.mjs'
import { root } from './lib/setup.mjs'

/* What the doctor says of the ports that a start would need. */

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Something that answers everything with this. */
async function listening(body: string): Promise<string> {
  const port = await freePort()
  const server = createServer((_, response) => response.end(body))
  servers.push(server)
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return String(port)
}

function doctor(ports: Record<string, string>): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/doctor.mjs'], {
      cwd: root,
      env: { ...process.env, HOST: '127.0.0.1', ...ports },
    })
    let said = ''
    child.stdout.on('data', part => {
      said += part
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, said }))
  })
}

test('a port that somebody else has is wrong, with the mend', async () => {
  const PORT = await listening('hello')
  const PAYMENT_PORT = String(await freePort())
  const { code, said } = await doctor({ PORT, PAYMENT_PORT })
  expect(code).toBe(1)
  expect(said).toContain(
    `WRONG port ${PORT} is free\n      Stop what listens there, or choose another: PORT=`,
  )
  expect(said).toContain(`ok    port ${PAYMENT_PORT} is free`)
})

test('a portal that runs is no fault', async () => {
  const PORT = await listening('{"status":"ok"}')
  const PAYMENT_PORT = await listening('{"status":"ok"}')
  const { code, said } = await doctor({ PORT, PAYMENT_PORT })
  expect(said).toContain(`ok    port ${PORT} is this portal’s, which runs`)
  expect(said).toContain(`ok    port ${PAYMENT_PORT} is this portal’s, which runs`)
  expect(code).toBe(0)
})

test('a port that is none, and a host of another machine, are named with an example', async () => {
  const { code, said } = await doctor({ PORT: 'abc', HOST: '192.0.2.1' })
  expect(code).toBe(1)
  expect(said).toContain('WRONG PORT is a port\n      PORT: "abc" is not a port from 1 to 65535.')
  expect(said).toContain(
    'WRONG HOST is an address of this machine\n      HOST: "192.0.2.1" is no address of this machine.',
  )
})

test('where data would lie is tried, its folder not made yet', async () => {
  const folder = path.join(tmpdir(), 'portal-of-nobody-yet', 'data')
  const { said } = await doctor({ DATABASE_URL: `file:${folder}/portal.db` })
  expect(said).toContain(`ok    ${folder} can be written`)
})
