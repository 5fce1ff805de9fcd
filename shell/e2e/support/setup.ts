import type { TestProject } from 'vitest/node'
import { startPortal } from '../../../edge-api/test/servers/portal-server.ts'

/**
 * Starts one portal per worker, so that files that run at the same time share no data; files that kill or limit something start
 * portals of their own.
 */
export default async function setup(project: TestProject) {
  const running = await Promise.all(Array.from({ length: project.config.maxWorkers }, () => startPortal()))
  project.provide(
    'portals',
    running.map(({ url, paymentUrl, controlToken, folder }) => ({ url, paymentUrl, controlToken, folder })),
  )
  return () => Promise.all(running.map(({ stop }) => stop()))
}
