import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { buildPermissions, makePrivateFolder, planOf, urlHost } from './lib/portal.mjs'
import { freePort, freePortFrom, freePortsOf, waitForFreePorts } from './lib/processes.mjs'

/* Tests the port and host checks made before startup, and the startup plan. */

test('rejects an invalid PORT and names the variable', async () => {
  for (const value of ['abc', '0', '65536', '80a', '-1']) {
    await expect(waitForFreePorts({ PORT: value }, '127.0.0.1')).rejects.toThrow(
      `PORT: "${value}" is not a port from 1 to 65535.`,
    )
  }
})

test('accepts a free port', async () => {
  await expect(waitForFreePorts({ PORT: String(await freePort()) }, '127.0.0.1')).resolves.toBeUndefined()
})

test('names every port in use, and suggests free ones for all of them', async () => {
  const ports = [await freePort(), await freePort()]
  const servers = ports.map(() => createServer())
  await Promise.all(
    servers.map(
      (server, index) => new Promise<void>(resolve => server.listen(ports[index], '127.0.0.1', resolve)),
    ),
  )
  const wanted = { PORT: String(ports[0]), PAYMENT_PORT: String(ports[1]) }
  try {
    const errorMessage = await waitForFreePorts(wanted, '127.0.0.1').catch((error: Error) => error.message)
    expect(errorMessage).toContain(`PORT: ${ports[0]}, PAYMENT_PORT: ${ports[1]} are already in use`)
    const [, PORT = '', PAYMENT_PORT = ''] =
      /choose others: PORT=(\d+) PAYMENT_PORT=(\d+)$/.exec(String(errorMessage)) ?? []
    await expect(waitForFreePorts({ PORT, PAYMENT_PORT }, '127.0.0.1')).resolves.toBeUndefined()
  } finally {
    for (const server of servers) server.close()
  }
})

test('names a host that does not belong to this machine', async () => {
  await expect(waitForFreePorts({ PORT: String(await freePort()) }, '192.0.2.1')).rejects.toThrow(
    'HOST: "192.0.2.1" is not an address of this machine.',
  )
})

test('does not start the sandbox gateway in production or when another gateway is configured', () => {
  expect(planOf({}).withSandbox).toBe(true)
  expect(planOf({ NODE_ENV: 'production' }).withSandbox).toBe(false)
  expect(planOf({ PAYMENT_PROVIDER: 'paystack' }).withSandbox).toBe(false)
})

test('puts an IPv6 host in brackets in URLs', () => {
  const hosts = ['::1', '127.0.0.1', 'localhost'].map(host => new URL(`http://${urlHost(host)}:8080`).host)
  expect(hosts).toEqual(['[::1]:8080', '127.0.0.1:8080', 'localhost:8080'])
})

test.each([
  [undefined, 'localhost'],
  ['0.0.0.0', 'localhost'],
  ['::1', '[::1]'],
  ['127.0.0.2', '127.0.0.2'],
])('announces a portal with HOST=%s at %s', (HOST, address) => {
  expect(planOf({ HOST })).toMatchObject({
    url: `http://${address}:8080`,
    paymentUrl: `http://${address}:8081`,
  })
})

test('accepts an invalid host when planning, so that the port check can report it', async () => {
  const plan = planOf({ HOST: '999.1.1.1' })
  expect(buildPermissions(plan, {}).portal.serverAddresses).toContain('999.1.1.1:8081')
  await expect(waitForFreePorts({ PORT: plan.port }, plan.host)).rejects.toThrow(
    'HOST: "999.1.1.1" is not an address',
  )
})

test('uses the portal’s public host for the gateway if the portal listens on all addresses', () => {
  const environment = { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.168.1.5:8080' }
  const plan = planOf(environment)
  expect(plan.paymentUrl).toBe('http://192.168.1.5:8081')
  expect(buildPermissions(plan, environment).portal.serverAddresses).toContain('192.168.1.5:8081')
  expect(planOf({ ...environment, PUBLIC_URL: 'https://verify.example.org' }).paymentUrl).toBe(
    'http://localhost:8081',
  )
})

test('creates data folders that other users cannot access', () => {
  const parentFolder = mkdtempSync(path.join(tmpdir(), 'data-'))
  try {
    makePrivateFolder(path.join(parentFolder, 'portal'))
    expect(statSync(path.join(parentFolder, 'portal')).mode & 0o777).toBe(0o700)
  } finally {
    rmSync(parentFolder, { recursive: true })
  }
})

test('uses the next free port if one is in use, and reports an invalid port', async () => {
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

test('shifts all ports of a group if one is in use', async () => {
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
    const movedPorts = await freePortsOf(servers, '127.0.0.1')
    const [firstOffset, secondOffset] = [...movedPorts.values()].map(
      (port, index) => port - Number(servers[index]?.port),
    )
    expect(firstOffset).toBe(secondOffset)
    expect(Number(firstOffset) % 100).toBe(0)
    expect(firstOffset).toBeGreaterThan(0)
  } finally {
    taken.close()
  }
  await expect(freePortsOf(servers, '192.0.2.1')).rejects.toThrow('is not an address of this machine')
})
