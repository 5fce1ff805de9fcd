import type { TestProject } from 'vitest/node'
import { startPortal } from '../../../edge-api/test/servers/portal-server.ts'

/** One portal for all browser tests; those that kill or limit something start their own. */
export default async function setup(project: TestProject) {
  const { stop, url, paymentUrl, controlToken, folder } = await startPortal()
  project.provide('portal', { url, paymentUrl, controlToken, folder })
  return stop
}
