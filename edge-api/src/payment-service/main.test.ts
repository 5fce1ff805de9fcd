import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { waitOptions } from '../../test/hang-guards.ts'
import { selectFailures, startLoad } from '../../test/steady-load.ts'
import { buildOrder, controlToken, secret } from './test-harness.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const main = 'edge-api/src/payment-service/main.ts'
/**
 * The path of the Deno binary itself, because npm's wrapper does not pass on signals. The wrapper unpacks the binary on first
 * use.
 */
const deno = join(root, 'node_modules/deno/deno')
const denoWrapper = join(root, 'node_modules/.bin/deno')

/** The command for each runtime; Deno gets only the permissions that it needs. */
const runtimes: [string, (data: string) => [string, string[]]][] = [
  ['Node', () => [process.execPath, [main]]],
  [
    'Deno',
    data => [
      deno,
      [
        'run',
        '--cached-only',
        '--no-prompt',
        '--allow-env',
        '--allow-net',
        '--allow-read',
        `--allow-write=${data}`,
        '--allow-ffi=node_modules',
        '--allow-sys',
        main,
      ],
    ],
  ],
]

// `npm start` runs the service on Deno.
describe.each(runtimes.filter(([name]) => process.env.EXHAUSTIVE || name === 'Deno'))(
  'main on %s',
  (name, commandFor) => {
    let data = ''
    const children: ChildProcess[] = []
    beforeAll(async () => {
      if (name === 'Deno' && !existsSync(deno)) execFileSync(denoWrapper, ['--version'])
      data = await mkdtemp(join(root, 'node_modules/.payment-service-'))
    })
    afterAll(async () => {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
      await rm(data, { recursive: true })
    })

    function start(env: Record<string, string>) {
      const [command, args] = commandFor(data)
      const { PATH = '', HOME = '' } = process.env
      const baseEnv = {
        PATH,
        HOME,
        PAYMENT_WEBHOOK_SECRET: secret,
        PAYMENT_DATABASE_URL: `file:${data}/payments.db`,
      }
      const child = spawn(command, args, { cwd: root, env: { ...baseEnv, ...env } })
      children.push(child)
      const out = { stdout: '', stderr: '' }
      child.stdout.on('data', chunk => {
        out.stdout += chunk
      })
      child.stderr.on('data', chunk => {
        out.stderr += chunk
      })
      const exited = once(child, 'close').then(([code]) => code as number | null)
      /** Resolves when the URL returns status 200, and rejects with the process's output if it ends before. */
      const waitUntilReady = (url: string) =>
        vi.waitUntil(async () => {
          if (child.exitCode !== null) throw new Error(`The service ended.\n${out.stderr}`)
          const response = await fetch(url).catch(() => undefined)
          return response?.status === 200
        }, waitOptions)
      return { child, out, exited, waitUntilReady }
    }

    it('serves, keeps its data over a restart, reports a port in use, and stops when asked to', async () => {
      const port = await freePort()
      const env = {
        PAYMENT_PORT: String(port),
        PAYMENT_CONTROL_TOKEN: controlToken,
        CLOCK_OFFSET_SECONDS: '86400',
      }
      const address = `http://127.0.0.1:${port}`
      const first = start(env)
      await first.waitUntilReady(`${address}/health`)

      const body = buildOrder()
      const headers = { 'content-type': 'application/json' }
      const createdPayment = await fetch(`${address}/payment`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect(createdPayment.status).toBe(201)
      const { expires_at, payment_url } = (await createdPayment.json()) as {
        expires_at: string
        payment_url: string
      }
      expect(payment_url).toBe(`http://localhost:${port}/checkout/entry`)
      expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(86_400_000)

      // The client disconnects from a response that is held back: the process must survive and still stop in time.
      const heldRequest = fetch(`${address}/verify/${body.request_id}`, {
        method: 'POST',
        headers: { 'x-scenario-key': 'requery:timeout' },
        signal: AbortSignal.timeout(500),
      })
      await expect(heldRequest).rejects.toMatchObject({ name: 'TimeoutError' })

      const conflicting = start({ ...env, PAYMENT_DATABASE_URL: `file:${data}/other.db` })
      expect(await conflicting.exited).toBe(1)
      expect(conflicting.out.stderr).toContain(`PAYMENT_PORT ${port} on 127.0.0.1 is already in use`)

      first.child.kill('SIGTERM')
      expect(await first.exited).toBe(0)

      const restarted = start(env)
      await restarted.waitUntilReady(`${address}/payment/${body.request_id}`)
      restarted.child.kill('SIGINT')
      expect(await restarted.exited).toBe(0)
    })

    it('when stopped under load, fails no request', { tags: ['QUALITY-47'] }, async () => {
      const port = await freePort()
      const { child, exited, waitUntilReady } = start({ PAYMENT_PORT: String(port) })
      const address = `http://127.0.0.1:${port}`
      await waitUntilReady(`${address}/health`)
      const load = startLoad(address, 8, () => ({
        method: 'POST',
        path: '/payment',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(buildOrder()),
      }))
      await vi.waitFor(() => expect(load.outcomes.length).toBeGreaterThan(100), waitOptions)
      child.kill('SIGTERM')
      expect(await exited).toBe(0)
      await load.ended
      expect(selectFailures(load.outcomes)).toEqual([])
      expect(load.outcomes.filter(outcome => outcome.status === 201).length).toBeGreaterThan(100)
    })

    it('stops when the process that supervises it has ended', async () => {
      const port = await freePort()
      const { child, exited, waitUntilReady } = start({ PAYMENT_PORT: String(port), STOP_WITH_PARENT: '1' })
      await waitUntilReady(`http://127.0.0.1:${port}/health`)
      child.stdin.end()
      expect(await exited).toBe(0)
    })

    it('refuses invalid settings, naming each with an example', async () => {
      const { exited, out } = start({ PAYMENT_PORT: 'eighty', PAYMENT_WEBHOOK_SECRET: '' })
      expect(await exited).toBe(1)
      expect(out.stderr).toContain('PAYMENT_PORT is not a number. Example: PAYMENT_PORT=8081')
      expect(out.stderr).toContain('PAYMENT_WEBHOOK_SECRET is missing. Example: PAYMENT_WEBHOOK_SECRET=')
      expect(out.stderr).not.toContain('    at ')
    })
  },
)
