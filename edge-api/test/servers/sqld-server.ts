import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { WAIT_TIMEOUT_MS } from '@portal/fixtures/hang-guards'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { isSqldAvailable, sqldArguments, sqldBinary } from '../../../scripts/lib/sqld.mjs'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export { isSqldAvailable }

export interface RunningSqld {
  url: string
  /** The address of the server's replica; empty without one. */
  replicaUrl: string
  /** The server's process ID, for tests that stop or kill it. */
  pid: number
  stop(): Promise<void>
}

/** Starts a real libSQL server with its data in `folder`; to restart it after a kill, pass its previous `port`. */
export async function startSqld(folder: string, port?: number): Promise<RunningSqld> {
  return await start({ folder: path.join(folder, 'sqld'), port: port ?? (await freePort()) })
}

/** Starts a libSQL server and its replica, connected by a proxy that a test can cut, so that the replica stops updating. */
export async function startPrimaryAndReplica(
  folder: string,
): Promise<RunningSqld & { replicationProxy: TcpProxy }> {
  const grpcPort = await freePort()
  const primary = await start({ folder: path.join(folder, 'primary'), port: await freePort(), grpcPort })
  const replicationProxy = await startTcpProxy(grpcPort)
  const follows = `http://127.0.0.1:${replicationProxy.port}`
  const replica = await start({ folder: path.join(folder, 'replica'), port: await freePort(), follows })
  return {
    url: primary.url,
    replicaUrl: replica.url,
    pid: primary.pid,
    replicationProxy: replicationProxy,
    async stop() {
      await replica.stop()
      await replicationProxy.stop()
      await primary.stop()
    },
  }
}

async function start(server: Parameters<typeof sqldArguments>[0]): Promise<RunningSqld> {
  const child = spawn(sqldBinary, sqldArguments(server), {
    stdio: 'ignore',
    env: { ...process.env, RUST_LOG: 'error' },
  })
  const url = `http://127.0.0.1:${server.port}`
  await waitUntilResponding(`${url}/health`, child)
  return { url, replicaUrl: '', pid: child.pid ?? 0, stop: () => end(child) }
}

/** Waits until an address responds with success. @throws if the process ends first, or after `WAIT_TIMEOUT_MS` */
export async function waitUntilResponding(address: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS
  for (;;) {
    const response = await fetch(address, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    if (response?.ok) return
    if (child.exitCode !== null) throw new Error(`${address}: the server ended with ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error(`${address} did not answer`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Ends a process and waits until it has exited. */
export function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 5000)
  return exited.finally(() => clearTimeout(killTimer))
}
