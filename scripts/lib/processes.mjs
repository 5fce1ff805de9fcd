// Starts a portal's processes, waits for them and stops them, for `npm start`, `npm run cluster` and the tests.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { root } from './setup.mjs'

/** How long a start may take, in milliseconds. */
const START_TIMEOUT_MS = 120_000
/** How long a process may take to stop by itself before it is killed, in milliseconds. */
const STOP_TIMEOUT_MS = 15_000
/** How long to wait until a port in use is free, in milliseconds. */
const PORT_TIMEOUT_MS = 4000

export const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/**
 * Starts a process whose standard input closes when this process ends, for any reason; with STOP_WITH_PARENT, the started
 * process then stops. It has its own process group, so that Ctrl+C does not reach it, and this process decides in which order
 * the others stop.
 */
export function launch(command, args, env, onExit) {
  const isDetached = process.platform !== 'win32'
  const child = spawn(command, args, {
    cwd: root,
    env,
    detached: isDetached,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  child.on('exit', onExit)
  return child
}

const waitForExit = child =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('exit', resolve))

/** Stops processes, and kills those that do not stop. Resolves when all have ended. */
export async function stopAll(children) {
  for (const child of children) child.kill('SIGTERM')
  const killTimer = setTimeout(() => {
    for (const child of children) child.kill('SIGKILL')
  }, STOP_TIMEOUT_MS)
  await Promise.all(children.map(waitForExit))
  clearTimeout(killTimer)
}

/**
 * The first port and the number of ports that tests and tools use. They are below the ports that operating systems assign to
 * connections, because any connection could take one of those before we use it. Each process begins at a different port, so
 * that parallel tests do not find the same one. STRIDE is about PORT_COUNT divided by the golden ratio, which puts processes
 * started one after another hundreds of ports apart.
 */
const [FIRST_PORT, PORT_COUNT, STRIDE] = [20_000, 12_000, 7417]
let nextPortIndex = process.pid * STRIDE

/**
 * Returns a free port of 127.0.0.1, a different one each time.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const port = FIRST_PORT + (nextPortIndex++ % PORT_COUNT)
  return (await isFree(port, '127.0.0.1')) ? port : freePort()
}

/** The error codes of an attempt to listen on a host that is not an address of this machine. */
const FOREIGN_HOST_CODES = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']

/** Resolves with whether a port is free; rejects if the host does not belong to this machine. */
export function isFree(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', error => {
      const code = 'code' in error ? String(error.code) : ''
      if (!FOREIGN_HOST_CODES.includes(code)) return resolve(code !== 'EADDRINUSE')
      reject(new Error(`HOST: "${host}" is not an address of this machine. Example: HOST=127.0.0.1`))
    })
    server.listen(Number(port), host, () => server.close(() => resolve(true)))
  })
}

export const isPort = value => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65535

/** Returns the error message for a variable whose value is not a valid port. */
export const invalidPortMessage = (name, value) =>
  `${name}: "${value}" is not a port from 1 to 65535. Example: ${name}=8090`

/**
 * Resolves when these ports are free. A port in use is reported, because the program that uses it would respond instead of
 * ours. Invalid ports are rejected here, because Deno's error about its permissions would not name the variable.
 * @param ports by the variable that sets each
 */
export async function waitForFreePorts(ports, host) {
  const taken = []
  // A killed process may need a moment to release its ports.
  const deadline = Date.now() + PORT_TIMEOUT_MS
  for (const [name, value] of Object.entries(ports)) {
    if (!isPort(value)) throw new Error(invalidPortMessage(name, value))
    while (Date.now() < deadline && !(await isFree(value, host))) await pause(200)
    if (!(await isFree(value, host))) taken.push([name, Number(value)])
  }
  if (taken.length === 0) return
  const [verb, users, alternatives] =
    taken.length === 1
      ? ['is', 'program that uses it', 'another one']
      : ['are', 'programs that use them', 'others']
  throw new Error(
    `${taken.map(([name, value]) => `${name}: ${value}`).join(', ')} ${verb} already in use on ${host}. ` +
      `Stop the ${users}, or choose ${alternatives}: ${await suggestFreePorts(taken, Object.values(ports), host)}`,
  )
}

/**
 * Returns settings, such as `PORT=8090 PAYMENT_PORT=8091`, that replace the ports in use with free ones. All of them are
 * increased by the same number.
 */
async function suggestFreePorts(taken, requested, host) {
  for (let offset = 10; offset <= 1000; offset += 10) {
    const candidates = taken.map(([name, port]) => [name, port + offset])
    const free = await Promise.all(
      candidates.map(
        ([, port]) => isPort(String(port)) && !requested.includes(String(port)) && isFree(port, host),
      ),
    )
    if (free.every(Boolean)) return candidates.map(([name, port]) => `${name}=${port}`).join(' ')
  }
  return taken.map(([name]) => `${name}=…`).join(' ')
}

/**
 * Returns the port that a variable requests, or the next free one.
 * @param {string} name the variable
 * @param {string | number} requested
 * @param {string} [host]
 * @returns {Promise<number>}
 */
export async function freePortFrom(name, requested, host = '127.0.0.1') {
  if (!isPort(String(requested))) throw new Error(invalidPortMessage(name, requested))
  const firstPort = Number(requested)
  for (let port = firstPort; port < firstPort + 100 && port <= 65535; port += 1)
    if (await isFree(port, host)) return port
  throw new Error(`${name}: no free port from ${firstPort} on. Choose another one: ${name}=5400`)
}

/**
 * Returns ports for a group of servers: the usual ones or, if one of them is in use, all increased by a hundred.
 * @param {{ name: string, port: number }[]} servers
 * @param {string} host
 * @returns {Promise<Map<string, number>>} by name
 */
export async function freePortsOf(servers, host) {
  for (let offset = 0; offset <= 1000; offset += 100) {
    const free = await Promise.all(servers.map(({ port }) => isFree(port + offset, host)))
    if (free.every(Boolean)) return new Map(servers.map(({ name, port }) => [name, port + offset]))
  }
  throw new Error(`No free group of ports for ${servers.map(({ name }) => name).join(', ')}.`)
}

/** Resolves when every address responds successfully; rejects if `isStopped()` returns true first, or after two minutes. */
export async function waitUntilResponding(addresses, isStopped) {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (const address of addresses) {
    for (;;) {
      if (isStopped()) throw new Error('ended before it answered')
      if (Date.now() > deadline)
        throw new Error(`${address} did not answer within ${START_TIMEOUT_MS / 1000} s`)
      const response = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
      if (response?.ok) break
      await pause(50)
    }
  }
}
