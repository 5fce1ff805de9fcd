/**
 * Logs in over HTTP, as a browser does.
 * @param {string} url of a portal
 * @param {string} email
 * @param {string} [password] by default that of the demo's accounts
 * @returns {Promise<{ token: string, user: unknown }>}
 */
export async function signIn(url, email, password = 'Demo1234') {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`${email} cannot log in: HTTP ${response.status}`)
  return await response.json()
}

/**
 * Returns the data about a session as a browser stores it.
 * @param {{ token: string, user: unknown }} session
 */
export const storedSession = ({ token, user }) => [
  { name: 'token', value: token },
  { name: 'user', value: JSON.stringify(user) },
]
