// The callers of the fuzzer: a visitor, a user, an admin and a super admin. The fuzzer may break their accounts, but not the
// account that creates them.
import { signIn } from '../../lib/sign-in.mjs'

const RANK = { public: 0, user: 1, admin: 2, super_admin: 3 }

/** Returns whether the rank of a role suffices for a route. */
export const mayCall = (role, access) => RANK[role] >= RANK[access]

/** The super admin of the demo, who creates the fuzzer's accounts and reverts changes that would lock everyone out. */
const SUPER_ADMIN_EMAIL = 'super@demo.test'
/** The first account of each role: a demo account, which has a history. */
const initialAccounts = { user: 'user@demo.test', admin: 'admin@demo.test' }

/** @typedef {Awaited<ReturnType<typeof createCallers>>} Callers */

/** @param {import('../../../edge-api/test/servers/portal-server.ts').RunningPortal} portal */
export async function createCallers({ url, paymentUrl, controlToken }) {
  const { token: superAdminToken } = await signIn(url, SUPER_ADMIN_EMAIL)
  const sessions = new Map()
  let callerCount = 0

  async function call(method, path, token, body) {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { ok: response.ok, reply: await response.json() }
  }

  async function callOrFail(method, path, token, body) {
    const { ok, reply } = await call(method, path, token, body)
    if (!ok) throw new Error(`The fuzzer’s own ${method} ${path} was refused: ${JSON.stringify(reply)}`)
    return reply
  }

  /** Creates an account with a role. A user also buys a verification, if the fee and the policies allow it. */
  async function createCaller(role) {
    callerCount += 1
    const email = `caller-${callerCount}@users.test`
    const person = { firstname: 'Fuzz', lastname: `Caller ${callerCount}`, email, password: 'Demo1234', role }
    const { user } = await callOrFail('POST', '/admin/users', superAdminToken, person)
    await callOrFail('PUT', `/admin/users/${user.id}/verify-email`, superAdminToken)
    const { token } = await signIn(url, email)
    if (role === 'user') await buyVerification(token)
    return token
  }

  async function buyVerification(token) {
    const { certificates } = await callOrFail('GET', '/admin/certificates?per_page=1', superAdminToken)
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

  /** Returns whether a session is still valid with its role. */
  async function isValid(role, token) {
    const { ok, reply } = await call('GET', '/auth/profile', token)
    return ok && reply.user.role === role
  }

  const { user: superAdmin } = await callOrFail('GET', '/auth/profile', superAdminToken)
  const policies = await callOrFail('GET', '/admin/settings/policies', superAdminToken)
  for (const [role, email] of Object.entries(initialAccounts))
    sessions.set(role, (await signIn(url, email)).token)

  return {
    roles: /** @type {const} */ (['public', 'user', 'admin', 'super_admin']),
    /** Values that requests must not contain: without the account that creates the others, nothing could be restored. */
    untouchable: new Set([superAdmin.id, SUPER_ADMIN_EMAIL]),
    /** Returns a token of a valid session of a role, from a new account if necessary; undefined for a visitor. */
    async tokenOf(role) {
      if (role === 'public') return undefined
      const lastToken = sessions.get(role)
      if (lastToken && (await isValid(role, lastToken))) return lastToken
      const token = await createCaller(role)
      sessions.set(role, token)
      return token
    },
    /** Reverts the second-factor policy, which would lock out staff without one. */
    async restorePolicies() {
      const { unknown_certificates, public_tracking, staff_totp } = policies
      await callOrFail('PUT', '/admin/settings/policies', superAdminToken, {
        unknown_certificates,
        public_tracking,
        staff_totp,
      })
    },
  }
}
