import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inAddress, made, planOf, rightsOf } from './lib/portal.mjs'
import { freePort, freePortFrom, freePortsOf, portsFree } from './lib/processes.mjs'

/* What is said of a port before anything is started on it, and what is started. */

test('what is no port is named with its variable, before Deno reads it', async () => {
  for (const value of ['abc', '0', '65536', '80a', '-1']) {
    await expect(portsFree({ PORT: value }, '127.0.0.1')).rejects.toThrow(
      `PORT: "${value}" is not a port from 1 to 65535.`,
    )
  }
})

test('a port that nobody listens on will do', async () => {
  await expect(portsFree({ PORT: String(await freePort()) }, '127.0.0.1')).resolves.toBeUndefined()
})

test('a host that is not of this machine is named', async () => {
  await expect(portsFree({ PORT: String(await freePort()) }, '192.0.2.1')).rejects.toThrow(
    'HOST: "192.0.2.1" is no address of this machine.',
  )
})

test('in production no sandbox gateway is started: the portal refuses it, with all else that is wrong', () => {
  expect(planOf({}).withSandbox).toBe(true)
  expect(planOf({ NODE_ENV: 'production' }).withSandbox).toBe(false)
  expect(planOf({ PAYMENT_PROVIDER: 'paystack' }).withSandbox).toBe(false)
})

test('a host of IPv6 stands in brackets where its answer is awaited', () => {
  const hosts = ['::1', '127.0.0.1', 'localhost'].map(host => new URL(`http://${inAddress(host)}:8080`).host)
  expect(hosts).toEqual(['[::1]:8080', '127.0.0.1:8080', 'localhost:8080'])
})

test.each([
  [undefined, 'localhost'],
  ['0.0.0.0', 'localhost'],
  ['::1', '[::1]'],
  ['127.0.0.2', '127.0.0.2'],
])('on HOST=%s the portal is announced at %s', (HOST, at) => {
  expect(planOf({ HOST })).toMatchObject({ url: `http://${at}:8080`, paymentUrl: `http://${at}:8081` })
})

test('a host that is none is planned for, so that it is named where its ports are asked for', async () => {
  const plan = planOf({ HOST: '999.1.1.1' })
  expect(rightsOf(plan, {}).portal.listens).toContain('999.1.1.1:8081')
  await expect(portsFree({ PORT: plan.port }, plan.host)).rejects.toThrow('HOST: "999.1.1.1" is no address')
})

test('on every address the gateway is found, and may be asked, where the portal is', () => {
  const environment = { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.168.1.5:8080' }
  const plan = planOf(environment)
  expect(plan.paymentUrl).toBe('http://192.168.1.5:8081')
  expect(rightsOf(plan, environment).portal.listens).toContain('192.168.1.5:8081')
  expect(planOf({ ...environment, PUBLIC_URL: 'https://verify.example.org' }).paymentUrl).toBe(
    'http://localhost:8081',
  )
})

test('a folder that is made for data is closed to other users of the machine', () => {
  const above = mkdtempSync(path.join(tmpdir(), 'data-'))
  try {
    made(path.join(above, 'portal'))
    expect(statSync(path.join(above, 'portal')).mode & 0o777).toBe(0o700)
  } finally {
    rmSync(above, { recursive: true })
  }
})

test('a port that is taken gives way to the next one; one that is none is named', async () => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  try {
    expect(await freePortFrom('PORT', port)).toBeGreaterThan(port)
  } finally {
    server.close()
  }
  await expect(freePortFrom('DEMO_PORT', 'abc')).rejects.toThrow('DEMO_PORT: "abc" is not a port')
})

test('servers that belong together move together where one of their ports is taken', async () => {
  const [first, second] = [await freePort(), await freePort()].sort((a, b) => a - b)
  const servers = [
    { name: 'shell', port: Number(first) },
    { name: 'mfe-user', port: Number(second) },
  ]
  expect(await freePortsOf(servers, '127.0.0.1')).toEqual(
    new Map(servers.map(({ name, port }) => [name, port])),
  )
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(second, '127.0.0.1', resolve))
  try {
    const moved = await freePortsOf(servers, '127.0.0.1')
    const [further, rest] = [...moved.values()].map((port, at) => port - Number(servers[at]?.port))
    expect(further).toBe(rest)
    expect(Number(further) % 100).toBe(0)
    expect(further).toBeGreaterThan(0)
  } finally {
    taken.close()
  }
  await expect(freePortsOf(servers, '192.0.2.1')).rejects.toThrow('is no address of this machine')
})
