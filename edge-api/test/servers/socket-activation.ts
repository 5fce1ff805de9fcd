import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { denoArguments } from '../../../scripts/lib/deno-permissions.mjs'
import { buildPermissions, makePrivateFolder, planOf } from '../../../scripts/lib/portal.mjs'
import { developmentKey } from '../../../scripts/lib/release-keys.mjs'
import { denoBinary, root } from '../../../scripts/lib/setup.mjs'
import { releasesFolder } from '../../../scripts/shipping/folder.mjs'
import { eventually } from '../portal.ts'
import { makeTestEnvironment } from './portal-server.ts'

/*
 * Runs a portal whose listening socket systemd opened, as with deploy/server/portal.socket: the socket outlives the portal's
 * processes.
 */

export const SOCKET_ACTIVATION = 'systemd-socket-activate'

const INHERIT_SOCKET = path.join(import.meta.dirname, 'inherit-socket.mjs')

/**
 * A shell script that restarts a program whenever it ends, as systemd does with `Restart=always`, until the test that started
 * it ends.
 */
const SUPERVISOR = `
exec 4<&0
(cat <&4 >/dev/null; kill -TERM 0) &
while :; do
  sh -c 'LISTEN_PID=$$ exec "$0"' "$0" &
  echo "process $!"
  wait $!
done`

export interface ActivatedPortal {
  port: number
  /** Ends the process and waits until its successor responds. @returns how long this took, in milliseconds */
  restart(): Promise<number>
  /** Replaces a process of another version by one of this checkout. @returns how long this took, in milliseconds */
  upgrade(): Promise<number>
  stop(): Promise<void>
}

const ENTRY = 'edge-api/src/runtimes/server.ts'

/** Returns the shell script that the supervisor runs. It starts the portal on Deno. */
function buildProgram(checkout: string, environment: Record<string, string>): string {
  const { portal } = buildPermissions(planOf(environment), environment)
  for (const folder of portal.writable) makePrivateFolder(folder)
  // An earlier version may need other permissions, and may not support sockets that systemd opened.
  const commandArguments =
    checkout === root
      ? denoArguments(ENTRY, environment, portal)
      : [
          'run',
          '--quiet',
          '--no-lock',
          '--allow-all',
          '--preload',
          INHERIT_SOCKET,
          path.join(checkout, ENTRY),
        ]
  return `#!/bin/sh\ncd '${checkout}'\nexec ${[denoBinary(), ...commandArguments].map(word => `'${word}'`).join(' ')}\n`
}

/** Starts a portal on Deno. @param folder for its data @param checkout the folder of the version to run */
export async function startActivatedPortal(
  folder: string,
  variables: Record<string, string>,
  checkout: string = root,
): Promise<ActivatedPortal> {
  const environment: Record<string, string> = {
    ...(await makeTestEnvironment(folder)),
    RELEASES_FOLDER: releasesFolder(),
    RELEASE_DEVELOPMENT_KEY: developmentKey(path.join(root, '.data')).x,
    ...variables,
  }
  const program = path.join(folder, 'start')
  await writeFile(program, buildProgram(checkout, environment))
  await chmod(program, 0o700)

  const variableArguments = Object.entries(environment).flatMap(([name, value]) => ['-E', `${name}=${value}`])
  const socket = ['-l', `127.0.0.1:${environment.PORT}`]
  const child: ChildProcess = spawn(
    SOCKET_ACTIVATION,
    [...socket, ...variableArguments, '-E', 'PATH', '-E', 'HOME', 'sh', '-c', SUPERVISOR, program],
    // The process group is separate, so that the supervisor's current process ends too.
    { cwd: root, stdio: ['pipe', 'pipe', 'ignore'], detached: true },
  )
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const pids: number[] = []
  if (child.stdout)
    createInterface(child.stdout).on('line', line => {
      const [, pid] = /^process (\d+)$/.exec(line) ?? []
      if (pid) pids.push(Number(pid))
    })
  const url = `http://127.0.0.1:${environment.PORT}/api/health`
  const waitUntilResponding = () =>
    eventually(async () => (await fetch(url).catch(() => undefined))?.ok || undefined, url)
  await waitUntilResponding()
  async function restart() {
    const [startedAt, countBefore] = [performance.now(), pids.length]
    process.kill(pids.at(-1) ?? 0, 'SIGTERM')
    await eventually(async () => pids.length > countBefore || undefined, 'the next process')
    await waitUntilResponding()
    return performance.now() - startedAt
  }
  return {
    port: Number(environment.PORT),
    restart,
    async upgrade() {
      await writeFile(program, buildProgram(root, environment))
      return restart()
    },
    async stop() {
      if (child.pid) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}
