import type { Role } from '@portal/contract/shapes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertSession } from '../../edge-api/src/accounts/session-store.ts'
import { signToken } from '../../edge-api/src/accounts/tokens.ts'
import { createApp } from '../../edge-api/src/app.ts'
import { openTestSetup, type TestSetup } from '../../edge-api/test/payment-setup.ts'
import type { Call } from './description.ts'
import type { RecordedCall } from './recorded.ts'
import { readAcceptedBreaks, readReleasedApi, readReleasedCalls } from './released.ts'
import { findMismatches } from './schema.ts'

/*
 * Replays the calls of released front ends with the API of these sources. This also tests rules that are not part of the
 * description, such as the format of e-mails and passwords. A response about an unknown ID does not count as a refusal.
 */

/** The error codes of calls that are refused although they used to be accepted. */
const REFUSALS = new Set([
  'VALIDATION_ERROR',
  'INVALID_CSV',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
])

let setup: TestSetup
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  setup = await openTestSetup()
  setup.ports.environment.RATE_LIMIT_SCALE = 1000
  setup.ports.uploadLimit = 1_000_000
  app = createApp(setup.ports)
})
afterAll(() => setup.close())

const accepted = readAcceptedBreaks()
const rows = Object.entries(readReleasedApi().calls)
  .filter(([key]) => !accepted.some(item => item.break.startsWith(`${key}:`)))
  .flatMap(([key, call]) =>
    (readReleasedCalls()[key] ?? []).map((recorded, index) => ({ key, at: index, call, recorded })),
  )

/** Returns a session of a new account that may make the call; for staff, of a super admin. */
async function createToken(access: string): Promise<string | undefined> {
  if (access === 'public') return undefined
  const role: Role = access === 'user' ? 'user' : 'super_admin'
  const { id: userId } = await setup.newUser()
  await setup.database.client.execute({ sql: 'update users set role = ? where id = ?', args: [role, userId] })
  const session = {
    userId,
    sessionId: crypto.randomUUID(),
    role,
    issuedAt: setup.ports.time,
    expiresAt: setup.ports.time + 1e6,
  }
  await setup.database.write(tx =>
    insertSession(tx, {
      id: session.sessionId,
      userId,
      createdAt: session.issuedAt,
      expiresAt: session.expiresAt,
    }),
  )
  return await signToken(session, setup.ports.environment.JWT_SECRETS)
}

function createBody({ body, form }: RecordedCall): BodyInit | undefined {
  if (!form) return body === undefined ? undefined : JSON.stringify(body)
  const formData = new FormData()
  formData.append(form.field, new File([Buffer.from(form.content, 'base64')], form.name))
  return formData
}

async function send(
  { method, access }: Call,
  recorded: RecordedCall,
): Promise<{ status: number; body: unknown }> {
  const token = await createToken(access)
  const body = createBody(recorded)
  const response = await app.fetch(
    new Request(`http://localhost:8080/api${recorded.path}`, {
      method,
      headers: {
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...recorded.headers,
      },
      ...(body !== undefined && { body }),
    }),
    { peerAddress: '192.0.2.9' },
  )
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, body: isJson ? await response.json() : await response.text() }
}

test('every call of the released contract has a recording', () => {
  const missing = Object.keys(readReleasedApi().calls).filter(key => !readReleasedCalls()[key]?.length)
  expect(missing).toEqual([])
})

test.each(rows)(
  '$key ($at) is still accepted, and its response fits the released contract',
  { tags: ['SHIPPING-14'] },
  async ({ call, recorded }) => {
    const { status, body } = await send(call, recorded)
    const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
    // The recorded codes of authenticator apps have expired.
    const hasExpiredCode = JSON.stringify(body).includes('This code is not correct or was already used.')
    if (!hasExpiredCode) expect(REFUSALS, JSON.stringify(body)).not.toContain(code)
    expect(status, JSON.stringify(body)).toBeLessThan(500)
    if (status < 300 && call.reply && typeof body === 'object')
      expect(findMismatches(call.reply, body)).toEqual([])
  },
)
