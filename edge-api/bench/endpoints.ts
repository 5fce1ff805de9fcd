import { personas } from '@portal/fixtures/personas'
import { signIn } from './calls.ts'
import { alone, compared, type Figure, percentile } from './figures.ts'
import { load } from './load.ts'
import type { Running } from './servers.ts'

/** Requests per second of the server's processor time, which does not depend on other work on the machine. */
const UNIT = '/s'

/** Throughput of single calls compared with the bare runtime, framework and database. */
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
  const behindKept = await measured(bare, `/statement-behind-kept-token/${transaction}`)
  const path = `/api/verification/check-verification-status/${transaction}`
  const body = await (await fetch(product.url + path, { headers })).text()
  await fetch(`${bare.url}/whole/${transaction}`, { method: 'PUT', body })
  const whole = await measured(bare, `/whole/${transaction}`)
  const status = await measured(product, path)
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
      ['one cached statement of the same answer behind the same JWT and zod', whole],
    ),
    compared(
      `${name}: status of a paid transaction`,
      [status, UNIT],
      ['one cached statement of five fields behind JWT and zod', statement],
    ),
    compared(
      `${name}: status of a paid transaction`,
      [status, UNIT],
      ['one cached statement of five fields behind a token verified once, and zod', behindKept],
    ),
    alone(`${name}: login (scrypt, N = 2^15), one after another`, percentile(logins, 0.5), 'ms'),
  ]
}
