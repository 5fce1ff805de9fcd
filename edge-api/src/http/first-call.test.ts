import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createVerificationClient } from '@portal/client/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/lib/processes.mjs'
import { root } from '../../../scripts/lib/setup.mjs'
import { eventually, newAccount, request } from '../../test/portal.ts'
import { type RunningPortal, startPortal } from '../../test/servers/portal-server.ts'

/* Follows /api/docs/first-call exactly: every program comes from that page. */

const run = promisify(execFile)
const isInstalled = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The environment variable that step 1 of the page sets. */
const ALLOW_LOCAL_WEBHOOKS = { WEBHOOK_ALLOW_PRIVATE: '1' }

let portal: RunningPortal
let folder: string
let organisation: { id: string }
let session: string
let key: string
let blocks: Map<string, string>

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
const unescapeHtml = (text: string) =>
  text.replace(/&(lt|gt|amp|quot|#39);/g, (whole, name) => entities[name] ?? whole)

/** Returns the page's code block with this ID. */
function codeBlock(id: string): string {
  const found = blocks.get(id)
  if (found === undefined) throw new Error(`the page has no block ${id}`)
  return found
}

async function callOk(method: string, to: string, token: string, body?: unknown) {
  const response = await request(method, to, { token, body, portal })
  if (response.status >= 300)
    throw new Error(`${method} ${to}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

beforeAll(async () => {
  portal = await startPortal(ALLOW_LOCAL_WEBHOOKS)
  await mkdir(path.join(root, '.tmp'), { recursive: true })
  folder = await mkdtemp(path.join(root, '.tmp', 'first-call-'))
  session = (await newAccount({}, portal)).token
  const created = await callOk('POST', '/organisations', session, {
    name: 'First Call Limited',
    address: { line1: '7 Marina', city: 'Lagos', state: 'Lagos', country: 'Nigeria' },
    contact_email: 'dev@first-call.test',
    phone: '+2348105550166',
  })
  organisation = created.organisation
  const newKey = { name: 'First call', mode: 'test', access: 'write' }
  key = (await callOk('POST', `/organisations/${organisation.id}/keys`, session, newKey)).secret
  const page = await fetch(`${portal.url}/api/docs/first-call`)
  expect(page.headers.get('content-type')).toContain('text/html')
  const found = (await page.text()).matchAll(/<pre id="([\w-]+)"[^>]*><code>(.*?)<\/code><\/pre>/gs)
  blocks = new Map(Array.from(found, ([, id = '', code = '']) => [id, unescapeHtml(code)]))
})
afterAll(async () => {
  await portal?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const environment = () => ({ ...process.env, API_KEY: key })

test('the page’s start command sets this portal’s ports and the variable from step 1', {
  tags: ['ORGANISATION-35'],
}, () => {
  const ports = { PORT: new URL(portal.url).port, PAYMENT_PORT: new URL(portal.paymentUrl).port }
  const assignments = Object.entries({ ...ports, ...ALLOW_LOCAL_WEBHOOKS }).map(
    ([name, value]) => `${name}=${value}`,
  )
  expect(codeBlock('start')).toBe(`${assignments.join(' ')} npm start`)
})

describe('a developer with a test key', () => {
  test.skipIf(!isInstalled('curl'))(
    'verifies the specimen with the curl line',
    { tags: ['ORGANISATION-35'] },
    async () => {
      expect(codeBlock('key')).toContain('export API_KEY=cv_test_')
      const verify = async () => {
        const { stdout } = await run('sh', ['-c', codeBlock('curl')], { env: environment() })
        return JSON.parse(stdout)
      }
      const reply = await verify()
      expect(reply).toMatchObject({
        verification: { certificate_number: 'TEST/2020/001', status: 'completed', result: 'verified' },
        livemode: false,
      })
      // A retry with the same key returns the same verification.
      expect((await verify()).verification.id).toBe(reply.verification.id)
    },
  )

  test.skipIf(!isInstalled('python3'))(
    'verifies the specimen with the Python program',
    { tags: ['ORGANISATION-35'] },
    async () => {
      const { stdout } = await run('python3', ['-c', codeBlock('python')], { env: environment() })
      expect(stdout).toMatch(/^verified http\S+\/letters\/SPECIMEN\n$/)
    },
  )

  test('verifies the specimen with the TypeScript client', { tags: ['ORGANISATION-35'] }, async () => {
    const file = path.join(folder, 'verify.mts')
    await writeFile(file, codeBlock('typescript'))
    const { stdout } = await run(process.execPath, [file], { env: environment() })
    expect(stdout).toMatch(/^verified http\S+\/letters\/SPECIMEN\n$/)
  })

  test('gets an error with its code from the TypeScript client', async () => {
    const client = createVerificationClient({ portal: `${portal.url}/`, key })
    const insufficient = await client.POST('/v1/verifications', {
      body: { certificate_number: 'TEST/2020/402' },
    })
    expect([insufficient.response.status, insufficient.error?.code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
    const { data } = await client.GET('/v1/verifications', { params: { query: { status: 'completed' } } })
    expect(data?.livemode).toBe(false)
  })
})

describe('a local receiver', () => {
  const receivers = [
    { language: 'Python', id: 'python-receiver', file: 'receiver.py', program: 'python3' },
    { language: 'Node', id: 'node-receiver', file: 'receiver.mjs', program: process.execPath },
  ]
  for (const { language, id, file, program } of receivers)
    test.skipIf(!isInstalled(program))(
      `in ${language} gets a signed webhook, and refuses a forged one`,
      { tags: ['ORGANISATION-35'] },
      async () => {
        const port = await freePort()
        const url = `http://127.0.0.1:${port}/webhooks`
        const webhookBody = { url, description: language, mode: 'test', events: ['verification.completed'] }
        const createdWebhook = await callOk(
          'POST',
          `/organisations/${organisation.id}/webhooks`,
          session,
          webhookBody,
        )
        const source = path.join(folder, file)
        await writeFile(source, codeBlock(id))
        const receiver = spawn(program, [source], {
          env: { ...process.env, WEBHOOK_SECRET: createdWebhook.secret, RECEIVER_PORT: String(port) },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let printed = ''
        receiver.stdout.on('data', chunk => {
          printed += chunk
        })
        try {
          const headers = {
            'webhook-id': 'evt_forged',
            'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          }
          const forged = () =>
            fetch(url, {
              method: 'POST',
              body: '{"type":"ping"}',
              headers: { ...headers, 'webhook-signature': 'v1,AAAA' },
            }).catch(() => undefined)
          const refused = await eventually(forged, 'the receiver to listen')
          expect(refused.status).toBe(400)
          const client = createVerificationClient({ portal: portal.url, key })
          const { data } = await client.POST('/v1/verifications', {
            body: { certificate_number: 'TEST/2020/001' },
          })
          const [, event = ''] = await eventually(
            async () => /^genuine verification\.completed (evt_\S+)$/m.exec(printed) ?? undefined,
            'the webhook',
          )
          const eventReply = await callOk('GET', `/organisations/${organisation.id}/events/${event}`, session)
          expect(eventReply.event.data).toMatchObject({
            id: data?.verification.id,
            certificate_number: 'TEST/2020/001',
          })
        } finally {
          receiver.kill()
          await callOk(
            'DELETE',
            `/organisations/${organisation.id}/webhooks/${createdWebhook.endpoint.id}`,
            session,
          )
        }
      },
    )
})

test('the guide is linked from the API reference', async () => {
  const description = await fetch(`${portal.url}/api/openapi.json`)
  expect((await description.json()).info.description).toContain('(/api/docs/first-call)')
})
