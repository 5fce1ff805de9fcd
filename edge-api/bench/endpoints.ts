import { personas } from '@portal/fixtures/personas'
import { signIn } from './calls.ts'
import { compareFigures, type Figure, percentile, singleFigure } from './figures.ts'
import { measureRatesInTurn } from './load.ts'
import type { RunningServer } from './servers.ts'

/**
 * Unit of all throughput figures here: requests per second of the server's CPU time, which other work on the machine does not
 * affect.
 */
const UNIT = '/s'

/**
 * Compares the throughput of single calls with that of the bare runtime, framework and database.
 * @param bareOnProductServer a server with only the framework, but running on the product's HTTP server
 */
export async function measureThroughput(
  name: string,
  {
    product,
    bare,
    bareOnProductServer,
  }: { product: RunningServer; bare: RunningServer; bareOnProductServer: RunningServer },
  { requests, transaction }: { requests: number; transaction: string },
): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${await signIn(product.url, personas.user.email)}` }
  const path = `/api/verification/check-verification-status/${transaction}`
  const body = await (await fetch(product.url + path, { headers })).text()
  await fetch(`${bare.url}/whole/${transaction}`, { method: 'PUT', body })
  const target = ({ pid, url }: RunningServer, route: string) => ({ pid, url: url + route, headers })
  const [
    hello = 0,
    health = 0,
    settings = 0,
    statement = 0,
    statementWithCachedToken = 0,
    whole = 0,
    status = 0,
    helloOnProductServer = 0,
  ] = await measureRatesInTurn(requests, [
    target(bare, '/hello'),
    target(product, '/api/health'),
    target(product, '/api/verification/settings'),
    target(bare, `/statement/${transaction}`),
    target(bare, `/statement-behind-cached-token/${transaction}`),
    target(bare, `/whole/${transaction}`),
    target(product, path),
    target(bareOnProductServer, '/hello'),
  ])
  const logins: number[] = []
  for (let times = 0; times < 5; times++) {
    const started = performance.now()
    await signIn(product.url, personas.user.email)
    logins.push(performance.now() - started)
  }
  return [
    compareFigures(`${name}: response without the database`, [health, UNIT], ['bare Hono', hello]),
    compareFigures(
      `${name}: response without the database`,
      [health, UNIT],
      ["bare Hono behind the product's HTTP server", helloOnProductServer],
    ),
    compareFigures(`${name}: API read (settings)`, [settings, UNIT], ['bare Hono', hello]),
    compareFigures(
      `${name}: status of a paid transaction`,
      [status, UNIT],
      ['one cached statement of the same response behind the same JWT check and zod', whole],
    ),
    compareFigures(
      `${name}: status of a paid transaction`,
      [status, UNIT],
      ['one cached statement of five fields behind a JWT check and zod', statement],
    ),
    compareFigures(
      `${name}: status of a paid transaction`,
      [status, UNIT],
      ['one cached statement of five fields behind a token verified once, and zod', statementWithCachedToken],
    ),
    singleFigure(`${name}: login (scrypt, N = 2^15), one after another`, percentile(logins, 0.5), 'ms'),
  ]
}
