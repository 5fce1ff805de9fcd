import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { personas } from '@portal/fixtures/personas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTester, payByCard } from '../edge-api/test/black-box/subject.ts'
import { eventually } from '../edge-api/test/portal.ts'
import {
  CONTROL_TOKEN,
  makeTestEnvironment,
  type PortalAddress,
} from '../edge-api/test/servers/portal-server.ts'
import { root } from '../scripts/lib/setup.mjs'
import { isSqldAvailable } from '../scripts/lib/sqld.mjs'

/* Tests `npm run cluster` as it is used in a terminal. The API's cluster.test.ts tests a cluster under load. */

if (!isSqldAvailable)
  console.warn('SKIPPED: npm has no sqld for this platform; npm run cluster was not started here.')

const GOOD_CARD = '5060990000000000027'

describe.skipIf(!isSqldAvailable)('npm run cluster', () => {
  let folder: string
  let npm: ChildProcess
  let subject: PortalAddress
  /** Lines that the command has printed. */
  const lines: string[] = []
  /** The process ID of each part, from the output of the command. */
  const pids = new Map<string, number>()
  /** The IDs of all processes that the parts have had so far. */
  const allPids = new Set<number>()
  const { call, callOk, signIn, newCertificate, superAdmin } = createTester(() => subject)

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-cluster-command-'))
    const variables = await makeTestEnvironment(folder)
    npm = spawn('npm', ['run', 'cluster', '--', '--data', folder], {
      cwd: root,
      // Tests have their own releases folder, because they must not change the live releases of this checkout.
      env: {
        RELEASES_FOLDER: path.join(root, '.tmp/releases'),
        ...process.env,
        ...variables,
        TRUST_PROXY: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      // The command is in a process group of its own, as in a terminal.
      detached: true,
    })
    createInterface(npm.stdout ?? process.stdin).on('line', line => {
      lines.push(line)
      const [, name = '', pid] = /^(\S+) +(?:http\S+ .*, |is )process (\d+)/.exec(line) ?? []
      if (!pid) return
      pids.set(name, Number(pid))
      allPids.add(Number(pid))
    })
    const exited = once(npm, 'exit').then(() => {
      throw new Error(`npm run cluster ended:\n${lines.join('\n')}`)
    })
    await Promise.race([exited, waitForCondition(() => lines.some(line => line.startsWith('ready ')))])
    exited.catch(() => undefined)
    subject = {
      url: `http://localhost:${variables.PORT}`,
      paymentUrl: `http://localhost:${variables.PAYMENT_PORT}`,
      controlToken: CONTROL_TOKEN,
      folder,
    }
  })
  afterAll(async () => {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid ?? 0), 'SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  test('prints each part with its process, and the address of the load balancer', () => {
    const parts = ['primary', 'replica-1', 'replica-2', 'gateway', 'api-1', 'api-2', 'api-3']
    expect([...pids.keys()]).toEqual(parts)
    expect(lines).toContain(`ready ${subject.url}`)
  })

  test('a payment is completed although an API process and a replica are killed during it', {
    tags: ['RUNTIME-7'],
  }, async () => {
    const { certificate_number } = await newCertificate(await superAdmin())
    const token = await signIn(personas.user.email)
    const payment = await callOk('POST', '/verification/process-payment', {
      token,
      body: { certificate_number },
    })
    for (const name of ['api-1', 'replica-1']) {
      const pid = pids.get(name) ?? 0
      process.kill(pid, 'SIGKILL')
      const page = await fetch(subject.url)
      expect([page.status, (await call('GET', '/verification/history', { token })).status]).toEqual([
        200, 200,
      ])
      await waitForCondition(() => pids.get(name) !== pid)
    }
    expect(await payByCard(payment, GOOD_CARD)).toContain('Payment successful')
    const paid = await eventually(async () => {
      const path = `/verification/check-verification-status/${payment.transaction_id}`
      const { status, body } = await call('GET', path, { token })
      expect(status).toBe(200)
      return body.status === 'paid' ? body : undefined
    }, 'the payment to be paid')
    expect(paid).toMatchObject({ verification_status: 'success', letter: { status: 'valid' } })
  })

  test('Ctrl+C ends every process, even if it is pressed twice', {
    tags: ['RUNTIME-7'],
  }, async () => {
    const exited = once(npm, 'exit')
    // A terminal sends the signal to the whole process group.
    const pressCtrlC = () => process.kill(-(npm.pid ?? 0), 'SIGINT')
    pressCtrlC()
    await waitForCondition(() => ![...allPids].every(isAlive))
    pressCtrlC()
    await exited
    // After a second signal, npm ends before its child, so the processes may end later.
    await eventually(async () => ![...allPids].some(isAlive) || undefined, 'every part to end')
    expect(lines.filter(line => /ended before|Error/.test(line))).toEqual([])
  })
})

const waitForCondition = (condition: () => boolean) =>
  new Promise<void>(resolve => {
    const timer = setInterval(() => {
      if (!condition()) return
      clearInterval(timer)
      resolve()
    }, 40)
  })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
