import type { TestProject } from 'vitest/node'
import { startPortal } from './servers/portal-server.ts'

/** One portal on Deno with a file database for all API tests of this project. */
export default async function setup(project: TestProject) {
  const { stop, url, paymentUrl, controlToken, folder } = await startPortal()
  project.provide('portal', { url, paymentUrl, controlToken, folder })
  return stop
}
