import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { makeCertificate } from '@portal/fixtures/factories'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/lib/setup.mjs'
import '../task-meta.ts'
import { newAccount, request, staffToken } from '../portal.ts'
import { CONTROL_TOKEN, makeTestEnvironment } from '../servers/portal-server.ts'
import { selectFailures, startLoad, waitForMore } from '../steady-load.ts'

/** Number of payments started before the stop signal; there are enough certificates for many more. */
const MIN_PAYMENTS = 60
const CERTIFICATES = 3000

test('no request fails when npm start is stopped while payments are started, because the gateway stops last', {
  tags: ['QUALITY-47'],
}, async ({ task }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-start-'))
  const variables = await makeTestEnvironment(folder)
  // The process group is separate, as under a terminal or supervisor; npm and the shells in between forward signals.
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(npm, 'exit')
  try {
    for await (const line of createInterface(npm.stdout)) if (line.startsWith('ready ')) break
    const portal = {
      url: `http://127.0.0.1:${variables.PORT}`,
      paymentUrl: `http://127.0.0.1:${variables.PAYMENT_PORT}`,
      controlToken: CONTROL_TOKEN,
      folder,
    }
    const account = await newAccount({}, portal)
    const rows = Array.from({ length: CERTIFICATES }, () => makeCertificate())
    const lines = [Object.keys(rows[0] ?? {}), ...rows.map(row => Object.values(row))]
    const body = new FormData()
    body.append('file', new File([lines.map(cells => cells.join(',')).join('\n')], 'register.csv'))
    const uploaded = await request('POST', '/admin/certificates/upload', {
      token: await staffToken('admin', portal),
      body,
      portal,
    })
    expect(uploaded).toMatchObject({ status: 201, body: { summary: { succeeded: CERTIFICATES } } })

    const numbers = rows.map(row => row.certificate_number)
    const load = startLoad(portal.url, 6, () => ({
      method: 'POST',
      path: '/api/verification/process-payment',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${account.token}` },
      body: JSON.stringify({ certificate_number: numbers.pop() }),
    }))
    await waitForMore(load, MIN_PAYMENTS)
    const stoppedAt = performance.now()
    npm.kill('SIGTERM')
    await exited
    const stopDuration = performance.now() - stoppedAt
    await load.ended
    expect(selectFailures(load.outcomes).map(({ status, error, body }) => [status, error, body])).toEqual([])
    const started = load.outcomes.filter(outcome => outcome.status === 200).length
    expect(started).toBeGreaterThanOrEqual(MIN_PAYMENTS)
    task.meta.measurement = `${started} payments started, none failed; stopped in ${(stopDuration / 1000).toFixed(1)} s`
  } finally {
    npm.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})
