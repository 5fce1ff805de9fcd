import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
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
