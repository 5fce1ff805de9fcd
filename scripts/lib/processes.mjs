// How the processes of a portal are started, waited for and ended: by `npm start`, `npm run cluster` and the tests.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { root } from './setup.mjs'

/** Longest a start may take before it is given up, in milliseconds. */
const START_TIMEOUT = 120_000
/** Longest a graceful stop may take before it is forced, in milliseconds. */
const STOP_TIMEOUT = 15_000
/** How long a port may stay taken before the start gives up, in milliseconds. */
const PORT_PATIENCE = 4000

export const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/**
 * Starts a process whose standard input closes when this one ends, however it ends; with STOP_WITH_PARENT it then stops.
 * Ctrl+C does not reach it (in a group of its own): what is stopped first is for this process to say.
 */
export function launch(command, args, env, onExit) {
  const detached = process.platform !== 'win32'
  const child = spawn(command, args, { cwd: root, env, detached, stdio: ['pipe', 'inherit', 'inherit'] })
  child.on('exit', onExit)
  return child
}

const exited = child =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('exit', resolve))

/** Asks processes to stop, and forces those that do not. Resolves when all are gone. */
export async function stopAll(children) {
  for (const child of children) child.kill('SIGTERM')
  const forced = setTimeout(() => {
    for (const child of children) child.kill('SIGKILL')
  }, STOP_TIMEOUT)
  await Promise.all(children.map(exited))
  clearTimeout(forced)
}

/** A port of 127.0.0.1 that nothing listens on now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** What a host that is no address of this machine answers to a try to listen on it. */
const NOT_HERE = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']

/** Whether nothing listens on a port; rejects when the host is none of this machine. */
export function isFree(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', error => {
      const code = 'code' in error ? String(error.code) : ''
      if (!NOT_HERE.includes(code)) return resolve(code !== 'EADDRINUSE')
      reject(new Error(`HOST: "${host}" is no address of this machine. Example: HOST=127.0.0.1`))
    })
    server.listen(Number(port), host, () => server.close(() => resolve(true)))
  })
}

export const isPort = value => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65535

/** What to say of a variable that holds no port. */
export const wrongPort = (name, value) =>
  `${name}: "${value}" is not a port from 1 to 65535. Example: ${name}=8090`

/**
 * Resolves when nobody listens on these ports: someone else there would answer in our place. What is no port is refused
 * here, for Deno reads it in the rights of a process, and its own complaint names no variable.
 * @param ports by the variable that sets each
 */
export async function portsFree(ports, host) {
  for (const [name, value] of Object.entries(ports)) {
    if (!isPort(value)) throw new Error(wrongPort(name, value))
    // One that was just killed may need a moment to let go.
    const deadline = Date.now() + PORT_PATIENCE
    while (Date.now() < deadline && !(await isFree(value, host))) await pause(200)
    if (await isFree(value, host)) continue
    throw new Error(
      `${name}: ${value} is already taken on ${host}. Stop what listens there, or choose another: ${name}=${Number(value) + 10}`,
    )
  }
}

/**
 * The port that a variable asks for, or the next one that nobody listens on.
 * @param {string} name the variable
 * @param {string | number} wanted
 * @param {string} [host]
 * @returns {Promise<number>}
 */
export async function freePortFrom(name, wanted, host = '127.0.0.1') {
  if (!isPort(String(wanted))) throw new Error(wrongPort(name, wanted))
  const first = Number(wanted)
  for (let port = first; port < first + 100 && port <= 65535; port += 1)
    if (await isFree(port, host)) return port
  throw new Error(`${name}: no port from ${first} on is free. Choose another: ${name}=5400`)
}

/**
 * A port for each of several servers that belong together: their usual ones, or where one is taken those a hundred further on.
 * @param {{ name: string, port: number }[]} servers
 * @param {string} host
 * @returns {Promise<Map<string, number>>} by name
 */
export async function freePortsOf(servers, host) {
  for (let further = 0; further <= 1000; further += 100) {
    const free = await Promise.all(servers.map(({ port }) => isFree(port + further, host)))
    if (free.every(Boolean)) return new Map(servers.map(({ name, port }) => [name, port + further]))
  }
  throw new Error(`Of the ports of ${servers.map(({ name }) => name).join(', ')} one is taken each time.`)
}

/** Resolves when every address answers with success; rejects when `givenUp()` says so first, or after two minutes. */
export async function untilAnswering(addresses, givenUp) {
  const deadline = Date.now() + START_TIMEOUT
  for (const address of addresses) {
    for (;;) {
      if (givenUp()) throw new Error('ended before it answered')
      if (Date.now() > deadline) throw new Error(`${address} did not answer within ${START_TIMEOUT / 1000} s`)
      const answer = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
      if (answer?.ok) break
      await pause(50)
    }
  }
}
