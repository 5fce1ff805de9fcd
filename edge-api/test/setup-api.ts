import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundled } from './servers/bundle-api.ts'
import { startPortal } from './servers/portal-server.ts'
import { isSqldAvailable, startPrimaryAndReplica, startSqld } from './servers/sqld-server.ts'
import { startWorkerPortal } from './servers/worker-server.ts'

/** Starts a portal for all API tests of a project, on the runtime and the database that the project's name states. */
export default async function setup(project: TestProject) {
  const [, runtime = '', databaseKind = ''] =
    /^api-(deno|node|worker)-(file|sqld|replica)$/.exec(project.name) ?? []
  if (databaseKind !== 'file' && !isSqldAvailable)
    throw new Error('sqld is not available for this platform; run the other projects by name.')
  const { stop, portal } = await start(runtime, databaseKind)
  const { url, paymentUrl, controlToken, folder } = portal
  project.provide('portals', [{ url, paymentUrl, controlToken, folder }])
  return stop
}

async function start(runtime: string, databaseKind: string) {
  if (runtime === 'worker') {
    const portal = await startWorkerPortal({ withReplica: databaseKind === 'replica' })
    return { portal, stop: portal.stop }
  }
  const serverRuntime = runtime === 'node' ? 'node' : 'deno'
  if (serverRuntime === 'node') await bundled()
  if (databaseKind === 'file') {
    const portal = await startPortal({}, serverRuntime)
    return { portal, stop: portal.stop }
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-sqld-'))
  const sqld = await (databaseKind === 'replica' ? startPrimaryAndReplica(folder) : startSqld(folder))
  const portal = await startPortal(
    { FOLDER: folder, DATABASE_URL: sqld.url, DATABASE_REPLICA_URL: sqld.replicaUrl },
    serverRuntime,
  )
  return {
    portal,
    async stop() {
      await portal.stop()
      await sqld.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
