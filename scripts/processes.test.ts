import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { inAddress, planOf } from './lib/portal.mjs'
import { freePort, freePortFrom, portsFree } from './lib/processes.mjs'

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
