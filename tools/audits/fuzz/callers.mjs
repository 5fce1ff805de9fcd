// Who calls: a visitor, a user, an admin and a super admin. Their accounts may be worn out; the keeper's may not.
import { signIn } from '../tool.mjs'

const RANK = { public: 0, user: 1, admin: 2, super_admin: 3 }

/** Whether a role is enough for a route. */
export const mayCall = (role, access) => RANK[role] >= RANK[access]

/** The demo's super admin makes the accounts that the fuzzer uses, and undoes what would shut everybody out. */
const KEEPER = 'super@demo.test'
/** Accounts of the demo to begin with: with a history. */
const first = { user: 'user@demo.test', admin: 'admin@demo.test' }

/** @typedef {Awaited<ReturnType<typeof openCallers>>} Callers */

/** @param {import('../../../edge-api/test/servers/portal-server.ts').RunningPortal} portal */
export async function openCallers({ url, paymentUrl, controlToken }) {
  const keeper = await signIn(url, KEEPER)
  const sessions = new Map()
  let made = 0

  async function call(method, path, token, body) {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { ok: answer.ok, reply: await answer.json() }
  }

  async function must(method, path, token, body) {
    const { ok, reply } = await call(method, path, token, body)
    if (!ok) throw new Error(`The fuzzer’s own ${method} ${path} was refused: ${JSON.stringify(reply)}`)
    return reply
  }

  /** A new account of a role; a user with a verification that was paid for, where the fee and the policies allow one. */
  async function make(role) {
    made += 1
    const email = `caller-${made}@users.test`
    const person = { firstname: 'Fuzz', lastname: `Caller ${made}`, email, password: 'Demo1234', role }
    const { user } = await must('POST', '/admin/users', keeper, person)
    await must('PUT', `/admin/users/${user.id}/verify-email`, keeper)
    const token = await signIn(url, email)
    if (role === 'user') await buy(token)
    return token
  }

  async function buy(token) {
    const { certificates } = await must('GET', '/admin/certificates?per_page=1', keeper)
    const [{ certificate_number }] = certificates
    const { reply } = await call('POST', '/verification/process-payment', token, { certificate_number })
    if (reply.status !== 'payment_initiated') return
    await fetch(`${paymentUrl}/_control/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${controlToken}` },
      body: JSON.stringify({ request_id: reply.payment_reference, code: '00' }),
    })
    await call('GET', `/verification/check-verification-status/${reply.transaction_id}`, token)
  }

  /** Whether a session still stands with the role that it is for. */
  async function stands(role, token) {
    const { ok, reply } = await call('GET', '/auth/profile', token)
    return ok && reply.user.role === role
  }

  const { user: keeperAccount } = await must('GET', '/auth/profile', keeper)
  const policies = await must('GET', '/admin/settings/policies', keeper)
  for (const [role, email] of Object.entries(first)) sessions.set(role, await signIn(url, email))

  return {
    roles: /** @type {const} */ (['public', 'user', 'admin', 'super_admin']),
    /** Words that no request may name: an account that is disabled could mend nothing any more. */
    untouchable: new Set([keeperAccount.id, KEEPER]),
    /** A session of a role that stands, a new one where the last was lost; none for a visitor. */
    async tokenOf(role) {
      if (role === 'public') return undefined
      const last = sessions.get(role)
      if (last && (await stands(role, last))) return last
      const token = await make(role)
      sessions.set(role, token)
      return token
    },
    /** Takes back a policy that would shut staff out: the second factor of those who have none. */
    async restorePolicies() {
      const { unknown_certificates, public_tracking, staff_totp } = policies
      await must('PUT', '/admin/settings/policies', keeper, {
        unknown_certificates,
        public_tracking,
        staff_totp,
      })
    },
    accountsMade: () => made,
  }
}
