import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Subject } from '../black-box/subject.ts'
import { defineBlackBoxSuite } from '../black-box/suite.ts'
import { assemble, startDenoDeploy } from '../servers/assemble-host.ts'
import { CONTROL_TOKEN } from '../servers/portal-server.ts'
import { type RunningSqld, startSqld } from '../servers/sqld-server.ts'
import { makeBlackBoxEnvironment, startGateway, startWorker } from '../servers/worker-server.ts'

/*
 * Runs the whole black-box suite against the assembled output for Cloudflare and Deno Deploy, here on workerd and Deno with a
 * libSQL server.
 */

let folder: string
let sqld: RunningSqld
let variables: Record<string, string>
let gateway: { stop(): Promise<void> }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portal-hosts-'))
  variables = await makeBlackBoxEnvironment(folder)
  gateway = await startGateway(variables)
})
afterAll(async () => {
  await gateway?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the output the way its host does. @param runFolder a folder for files of the running portal */
type StartHost = (
  outputFolder: string,
  runFolder: string,
  environment: Record<string, string>,
) => Promise<Pick<Subject, 'url' | 'runScheduledJobs'> & { stop(): Promise<unknown> }>

const hosts: Record<string, StartHost> = {
  cloudflare: (outputFolder, runFolder, environment) =>
    startWorker(runFolder, environment, path.join(outputFolder, 'worker/worker.js')),
  'deno-deploy': (outputFolder, _, environment) => startDenoDeploy(outputFolder, environment),
}

describe.each(Object.entries(hosts))('the output for %s', { tags: ['RUNTIME-10'] }, (host, start) => {
  let subject: Subject
  let stop: (() => Promise<unknown>) | undefined
  beforeAll(async () => {
    const runFolder = path.join(folder, host)
    await mkdir(runFolder)
    const outputFolder = path.join(runFolder, 'out')
    await assemble(host, outputFolder)
    sqld = await startSqld(path.join(runFolder, 'server'))
    const environment = { ...variables, MAIL_FOLDER: path.join(runFolder, 'mailbox'), DATABASE_URL: sqld.url }
    const portal = await start(outputFolder, runFolder, environment)
    stop = portal.stop
    subject = {
      url: portal.url,
      ...(portal.runScheduledJobs && { runScheduledJobs: portal.runScheduledJobs }),
      paymentUrl: variables.PAYMENT_URL ?? '',
      controlToken: CONTROL_TOKEN,
      folder: runFolder,
    }
  })
  afterAll(async () => {
    await stop?.()
    await sqld?.stop()
  })
  defineBlackBoxSuite(() => subject)
})
