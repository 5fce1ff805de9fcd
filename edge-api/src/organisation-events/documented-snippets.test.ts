import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { webhookPayload } from '@portal/contract/organisation-webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../../scripts/lib/setup.mjs'
import { createSignatureHeader, newSecret } from './signature.ts'

/* Runs the code snippets of docs/webhooks.md. */

const run = promisify(execFile)
const hasPython = () => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let folder: string
let page: string
beforeAll(async () => {
  page = await readFile(path.join(root, 'docs/webhooks.md'), 'utf8')
  await mkdir(path.join(root, '.tmp'), { recursive: true })
  // The folder is within the repository, so that the snippet can import its package.
  folder = await mkdtemp(path.join(root, '.tmp', 'webhooks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the document's only snippet in a language. */
function snippet(language: string): string {
  const found = Array.from(
    page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs')),
    ([, code = '']) => code,
  )
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

const SECRET = newSecret()
const body = '{"type":"verification.completed","data":{"certificate_number":"UG/2018/0001"}}'

async function signHeaders(ageSeconds = 0) {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    // The secret was rotated, and the receiver still has the previous one.
    'webhook-signature': await createSignatureHeader([newSecret(), SECRET], { id: 'evt_1', timestamp, body }),
  }
}

const deliveries = [
  {
    name: 'a genuine event',
    isGenuine: true,
    createRequest: async () => ({ body, headers: await signHeaders() }),
  },
  {
    name: 'an altered body',
    isGenuine: false,
    createRequest: async () => ({ body: `${body} `, headers: await signHeaders() }),
  },
  {
    name: 'an old event',
    isGenuine: false,
    createRequest: async () => ({ body, headers: await signHeaders(3600) }),
  },
  {
    name: 'a forged signature',
    isGenuine: false,
    createRequest: async () => ({
      body,
      headers: { ...(await signHeaders()), 'webhook-signature': `v1,${btoa('0'.repeat(32))}` },
    }),
  },
]

test('the documented example of an event has the fields of every event', {
  tags: ['ORGANISATION-36'],
}, () => {
  expect(webhookPayload.parse(JSON.parse(snippet('json')))).toEqual(JSON.parse(snippet('json')))
})

describe.each(deliveries)('$name', ({ isGenuine, createRequest }) => {
  const environment = async () => {
    const { headers, body: received } = await createRequest()
    return { ...process.env, WEBHOOK_SECRET: SECRET, BODY: received, HEADERS: JSON.stringify(headers) }
  }

  test(`is ${isGenuine ? 'accepted' : 'refused'} with the package`, {
    tags: ['ORGANISATION-36'],
  }, async () => {
    const file = path.join(folder, 'verify.mjs')
    const received = 'const body = process.env.BODY\nconst headers = JSON.parse(process.env.HEADERS)\n'
    await writeFile(file, `${received}${snippet('ts')}console.log(JSON.stringify(event))\n`)
    const result = run(process.execPath, [file], { env: await environment() })
    if (isGenuine) expect(JSON.parse((await result).stdout)).toEqual(JSON.parse(body))
    else await expect(result).rejects.toThrow('WebhookVerificationError')
  })

  test.skipIf(!hasPython())(
    `is ${isGenuine ? 'accepted' : 'refused'} in Python`,
    { tags: ['ORGANISATION-36'] },
    async () => {
      const call =
        'import json, os\nprint(is_genuine(os.environ["WEBHOOK_SECRET"], json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode()))'
      const { stdout } = await run('python3', ['-c', `${snippet('python')}\n${call}`], {
        env: await environment(),
      })
      expect(stdout.trim()).toBe(isGenuine ? 'True' : 'False')
    },
  )
})
