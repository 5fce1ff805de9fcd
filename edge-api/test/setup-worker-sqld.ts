import type { TestProject } from 'vitest/node'
import { sqldIsHere } from './servers/sqld-server.ts'
import { startWorkerPortal } from './servers/worker-server.ts'

/** The API on workerd over a real libSQL server, for the same API tests. */
export default async function setup(project: TestProject) {
  if (!sqldIsHere) throw new Error('sqld is not available for this platform; run the other projects by name.')
  const { stop, startedIn: _, ...portal } = await startWorkerPortal()
  project.provide('portal', portal)
  return stop
}
