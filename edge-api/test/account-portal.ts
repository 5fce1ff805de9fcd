import { makeUser } from '@portal/fixtures/factories'
import { hashPassword } from '../src/accounts/passwords.ts'
import { insertSession } from '../src/accounts/session-store.ts'
import { insertUser } from '../src/accounts/store.ts'
import { signToken } from '../src/accounts/tokens.ts'
import { createApp } from '../src/app.ts'
import { runScheduledJobs } from '../src/jobs/scheduled-jobs.ts'
import type { TestSetup } from './payment-setup.ts'

export const PASSWORD = 'Passw0rd'

/** Opens the portal over a test set-up, with accounts that have a password and a session, and a clock to move. */
export async function openTestPortal(setup: TestSetup) {
  const app = createApp(setup.ports)
  // The tests hash many passwords, and the strength of the hash does not matter here.
  const passwordHash = await hashPassword(PASSWORD, 4)

  async function account(role: 'user' | 'admin' | 'super_admin' = 'user', person = makeUser()) {
    const { password: _, ...fields } = person
    const now = setup.ports.time
    const id = crypto.randomUUID()
    const row = { ...fields, id, role, passwordHash, isEnabled: true, verifiedAt: now }
    await setup.database.write(tx => insertUser(tx, { ...row, createdAt: now, updatedAt: now }))
    return { id, email: person.email, token: await session(id, role) }
  }

  async function session(userId: string, role: string): Promise<string> {
    const issuedAt = setup.ports.time
    const expiresAt = issuedAt + 400 * 86_400_000
    const sessionId = crypto.randomUUID()
    const row = { id: sessionId, userId, createdAt: issuedAt, expiresAt }
    await setup.database.write(tx => insertSession(tx, row))
    return await signToken(
      { userId, sessionId, role, issuedAt, expiresAt },
      setup.ports.environment.JWT_SECRETS,
    )
  }

  async function call(
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await app.request(`/api${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    await setup.waitUntilIdle()
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as any }
  }

  /** Advances the clock, then runs the scheduled jobs. */
  async function advance(durationMs: number): Promise<void> {
    setup.ports.time += durationMs
    await runScheduledJobs(setup.ports, setup.database)
    await setup.waitUntilIdle()
  }

  return { account, session, call, advance }
}
