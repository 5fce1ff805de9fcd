import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Subject } from '../black-box/subject.ts'
import { blackBoxSuite } from '../black-box/suite.ts'
import { assemble, startDenoDeploy } from '../servers/assemble-host.ts'
import { CONTROL_TOKEN } from '../servers/portal-server.ts'
import { type RunningSqld, startSqld } from '../servers/sqld-server.ts'
import { blackBoxEnvironment, startGateway, startWorker } from '../servers/worker-server.ts'

/*
 * Tests the output for Cloudflare and Deno Deploy, run here on workerd and Deno with a libSQL server, with the whole black-box
 * suite.
 */

let folder: string
let sqld: RunningSqld
let variables: Record<string, string>
let gateway: { stop(): Promise<void> }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-hosts-'))
  variables = await blackBoxEnvironment(folder)
  gateway = await startGateway(variables)
})
afterAll(async () => {
  await gateway?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the output as its host does. @param own a folder for files of the running portal */
type StartHost = (
  out: string,
  own: string,
  environment: Record<string, string>,
) => Promise<Pick<Subject, 'url' | 'runScheduledJobs'> & { stop(): Promise<unknown> }>

const hosts: Record<string, StartHost> = {
  cloudflare: (out, own, environment) => startWorker(own, environment, path.join(out, 'worker/worker.js')),
  'deno-deploy': (out, _, environment) => startDenoDeploy(out, environment),
}

describe.each(Object.entries(hosts))('%s', { tags: ['RUNTIME-10'] }, (host, start) => {
  let subject: Subject
  let stop: (() => Promise<unknown>) | undefined
  beforeAll(async () => {
    const own = path.join(folder, host)
    await mkdir(own)
    const out = path.join(own, 'out')
    await assemble(host, out)
    sqld = await startSqld(path.join(own, 'server'))
    const environment = { ...variables, MAIL_FOLDER: path.join(own, 'mailbox'), DATABASE_URL: sqld.url }
    const portal = await start(out, own, environment)
    stop = portal.stop
    subject = {
      url: portal.url,
      ...(portal.runScheduledJobs && { runScheduledJobs: portal.runScheduledJobs }),
      paymentUrl: variables.PAYMENT_URL ?? '',
      controlToken: CONTROL_TOKEN,
      folder: own,
    }
  })
  afterAll(async () => {
    await stop?.()
    await sqld?.stop()
  })
  blackBoxSuite(() => subject)
})
