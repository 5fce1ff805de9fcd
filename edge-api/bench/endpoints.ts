import { personas } from '@portal/fixtures/personas'
import { alone, compared, type Figure, percentile } from './figures.ts'
import { load } from './load.ts'
import type { Running } from './servers.ts'

const PASSWORD = 'Demo1234'

/** Signs in. @throws when the portal refuses */
export async function signIn(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { token: string }).token
}

/** Answers to the calls that people make most, one after another, in milliseconds by call. */
export async function latencies(url: string, times: number): Promise<Map<string, number[]>> {
  const user = { authorization: `Bearer ${await signIn(url, personas.user.email)}` }
  const admin = { authorization: `Bearer ${await signIn(url, personas.superAdmin.email)}` }
  const json = { 'content-type': 'application/json' }
  const number = (at: number) => `UG/20${10 + (at % 15)}/${String(at).padStart(7, '0')}`
  const calls: Record<string, (at: number) => [path: string, options: RequestInit]> = {
    'status of a paid transaction': at => [
      `/verification/check-verification-status/CVF${String(at).padStart(21, '0')}`,
      { headers: user },
    ],
    'look-up of a number': at => [
      '/verification/check-certificate',
      {
        method: 'POST',
        headers: { ...user, ...json },
        body: JSON.stringify({ certificate_number: number(5000 + at) }),
      },
    ],
    'history, first page': () => ['/verification/history', { headers: user }],
    'certificates, first page': () => ['/admin/certificates', { headers: admin }],
    'certificates, page 40': () => ['/admin/certificates?page=40', { headers: admin }],
    'search of a number': at => [
      `/admin/certificates?search=${encodeURIComponent(number(at))}`,
      { headers: admin },
    ],
    'search of a name': () => ['/admin/certificates?search=adebayo', { headers: admin }],
    'search of two letters': () => ['/admin/certificates?search=ad', { headers: admin }],
    overview: () => ['/admin/analytics/dashboard', { headers: admin }],
    'authentications, first page': () => ['/admin/authentications', { headers: admin }],
    'activity log, first page': () => ['/admin/activity-logs', { headers: admin }],
  }
  const took = new Map<string, number[]>()
  for (const [name, request] of Object.entries(calls)) {
    const all: number[] = []
    for (let at = 0; at < times + 10; at++) {
      const [path, options] = request(at)
      const started = performance.now()
      const answer = await fetch(`${url}/api${path}`, options)
      await answer.arrayBuffer()
      if (answer.status >= 400 && answer.status !== 404) throw new Error(`${path}: ${answer.status}`)
      if (at >= 10) all.push(performance.now() - started)
    }
    took.set(name, all)
  }
  return took
}

/** How the slowest answers grow with the register, call by call. */
export function growth(
  small: { name: string; took: Map<string, number[]> },
  large: { name: string; took: Map<string, number[]> },
): Figure[] {
  return [...large.took].map(([call, took]) =>
    compared(
      `p99 of ${call}, ${large.name}`,
      [percentile(took, 0.99), 'ms'],
      [small.name, percentile(small.took.get(call) ?? [], 0.99)],
    ),
  )
}

/** Requests for each second of the server's processor time, which other work on the machine leaves alone. */
const UNIT = '/s'

/** Throughput of single calls beside what the runtime, the framework and the database give by themselves. */
export async function throughput(
  name: string,
  product: Running,
  bare: Running,
  { requests, transaction }: { requests: number; transaction: string },
): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${await signIn(product.url, personas.user.email)}` }
  const measured = async ({ pid, url }: Running, path: string) =>
    (await load({ pid, url: url + path, headers, warmUp: requests, requests })).perProcessorSecond
  const hello = await measured(bare, '/hello')
  const health = await measured(product, '/api/health')
  const statement = await measured(bare, `/statement/${transaction}`)
  const status = await measured(product, `/api/verification/check-verification-status/${transaction}`)
  const settings = await measured(product, '/api/verification/settings')
  const logins: number[] = []
  for (let times = 0; times < 5; times++) {
    const started = performance.now()
    await signIn(product.url, personas.user.email)
    logins.push(performance.now() - started)
  }
  return [
    compared(`${name}: API answer without the database`, [health, UNIT], ['bare Hono', hello]),
    compared(`${name}: API read (settings)`, [settings, UNIT], ['bare Hono', hello]),
    compared(
      `${name}: status of a paid transaction`,
      [status, UNIT],
      ['one cached statement behind JWT and zod', statement],
    ),
    alone(`${name}: login (scrypt, N = 2^15), one after another`, percentile(logins, 0.5), 'ms'),
  ]
}
