import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { newSecret } from '@portal/rules/api-key'
import { openFile } from '../src/db/file-client.ts'
import { signIn } from './calls.ts'
import { compareFigures, type Figure, percentile } from './figures.ts'
import { measureRatesInTurn } from './load.ts'
import { callSequentially, getOk, json, postOk } from './requests.ts'
import type { RunningServer } from './servers.ts'

/*
 * Measures the API for organisations: a read with an API key and the portal's own status check, each compared with one cached
 * statement that returns the same response; the rejection of unknown, revoked and expired keys; and the latency of other calls
 * while a batch of an organisation is being verified.
 */

interface Benchmark {
  product: RunningServer
  bare: RunningServer
  /** Path of the product's database file. */
  file: string
  requests: number
  /** ID of a paid transaction of the demo's user. */
  transaction: string
  /** Certificate numbers for the batch, which no one has verified yet. */
  numbers: readonly string[]
}

const UNIT = '/s'

/** Rounds of calls before the batch, and again after it; with fewer, the p99 is not stable. */
const IDLE_ROUNDS = 1000

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Logs in as the owner of the demo's organisation; the returned `newKey` creates API keys. */
async function signInOwner({ product }: Benchmark) {
  const headers = { authorization: `Bearer ${await signIn(product.url, personas.employer.email)}` }
  const { organisations } = await json(await getOk(`${product.url}/api/account/areas`, headers))
  const url = `${product.url}/api/organisations/${organisations[0].id}`
  const newKey = async (access: string): Promise<{ id: string; secret: string }> => {
    const body = { name: 'Bench', mode: 'live', access, current_password: DEMO_PASSWORD }
    const { key, secret } = await postOk(`${url}/keys`, headers, body)
    return { id: key.id, secret }
  }
  return { id: String(organisations[0].id), url, headers, newKey }
}

type Owner = Awaited<ReturnType<typeof signInOwner>>

async function measureReads({ product, bare, requests, transaction }: Benchmark, owner: Owner) {
  const { secret } = await owner.newKey('read')
  const { verifications } = await json(
    await getOk(`${owner.url}/verifications?result=verified&per_page=1`, owner.headers),
  )
  const verification = String(verifications[0].id)
  const session = { authorization: `Bearer ${await signIn(product.url, personas.user.email)}` }
  const status = {
    path: `/api/verification/check-verification-status/${transaction}`,
    headers: session,
    barePath: `/whole/${transaction}`,
  }
  const verificationRead = {
    path: `/api/v1/verifications/${verification}`,
    headers: { authorization: `Bearer ${secret}` },
    barePath: `/whole-verification/${verification}`,
  }
  for (const { path, headers, barePath } of [status, verificationRead]) {
    const body = await (await getOk(product.url + path, headers)).text()
    await fetch(bare.url + barePath, { method: 'PUT', body })
  }
  const target = ({ pid, url }: RunningServer, path: string, headers: Record<string, string>) => ({
    pid,
    url: url + path,
    headers,
  })
  const [statusRate = 0, bareStatusRate = 0, keyRate = 0, bareKeyRate = 0] = await measureRatesInTurn(
    requests,
    [
      target(product, status.path, status.headers),
      target(bare, status.barePath, session),
      target(product, verificationRead.path, verificationRead.headers),
      target(bare, verificationRead.barePath, session),
    ],
  )
  const baseline = 'one cached statement with the same response behind the same JWT and zod'
  return [
    compareFigures(
      'Status of a paid transaction, with a session',
      [statusRate, UNIT],
      [baseline, bareStatusRate],
    ),
    compareFigures('A verification, with an API key', [keyRate, UNIT], [baseline, bareKeyRate]),
  ]
}

/** Returns the median duration of each kind of rejected call; the calls are made in turn. */
async function measureRefusals({ product, file, requests }: Benchmark, owner: Owner): Promise<Figure[]> {
  const [revoked, expired] = [await owner.newKey('read'), await owner.newKey('read')]
  await fetch(`${owner.url}/keys/${revoked.id}`, { method: 'DELETE', headers: owner.headers })
  const client = openFile(file, { timeout: 60_000 })
  await client.execute({
    sql: 'update organisation_keys set expires_at = 1 where id = ?',
    args: [expired.id],
  })
  client.close()
  const secrets = { unknown: newSecret('live'), revoked: revoked.secret, expired: expired.secret }
  const callWithInvalidKey = (secret: string) => async () => {
    const response = await fetch(`${product.url}/api/v1/balance`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    await response.arrayBuffer()
    if (response.status !== 401) throw new Error(`an invalid key: ${response.status}`)
  }
  const durations = await callSequentially(
    Math.ceil(requests / 20),
    Object.values(secrets).map(item => callWithInvalidKey(item)),
  )
  const [unknown = 0, ...others] = durations.map(times => percentile(times, 0.5))
  return ['revoked', 'expired'].map((kind, index) =>
    compareFigures(
      `Rejection of ${kind === 'expired' ? 'an' : 'a'} ${kind} key, median`,
      [others[index] ?? 0, 'ms'],
      ['an unknown key', unknown],
    ),
  )
}

/**
 * Makes the calls in turn, pausing after each round, until `hasEnded` returns true.
 * @returns durations in milliseconds, by call
 */
async function measureLatencies(
  calls: readonly (() => Promise<unknown>)[],
  hasEnded: (rounds: number) => boolean,
) {
  const durations: number[][] = calls.map(() => [])
  for (let round = 0; !hasEnded(round); round++) {
    const roundTimes = await callSequentially(1, calls)
    roundTimes.forEach((times, index) => {
      durations[index]?.push(...times)
    })
    await pause(5)
  }
  return durations
}

async function measureDuringBatch(benchmark: Benchmark, owner: Owner): Promise<Figure[]> {
  const { product, transaction, numbers } = benchmark
  const { secret } = await owner.newKey('write')
  const key = { authorization: `Bearer ${secret}` }
  const session = { authorization: `Bearer ${await signIn(product.url, personas.user.email)}` }
  const staff = { authorization: `Bearer ${await signIn(product.url, personas.superAdmin.email)}` }
  await postOk(`${product.url}/api/admin/organisations/${owner.id}/credits`, staff, {
    amount: 50_000_000,
    bank_reference: 'FT BENCH',
    received_on: new Date().toISOString().slice(0, 10),
  })
  const api = `${product.url}/api`
  const read = (path: string, headers: Record<string, string>) => async () =>
    void (await (await getOk(api + path, headers)).arrayBuffer())
  const calls = {
    'status of a paid transaction': read(`/verification/check-verification-status/${transaction}`, session),
    'history of an account': read('/verification/history', session),
    'list of certificates': read('/admin/certificates', staff),
    'a read with an API key': read('/v1/balance', key),
  }
  const callList = Object.values(calls)
  const before = await measureLatencies(callList, round => round >= IDLE_ROUNDS)
  const { batch } = await postOk(`${api}/v1/batches`, key, { certificate_numbers: numbers })
  let isBatchRunning = true
  const batchEnd = (async () => {
    for (; isBatchRunning; await pause(250)) {
      const reply = await json(await getOk(`${api}/v1/batches/${batch.id}`, key))
      isBatchRunning = reply.batch.status !== 'completed'
    }
  })()
  const latenciesDuring = await measureLatencies(callList, () => !isBatchRunning)
  await batchEnd
  const after = await measureLatencies(callList, round => round >= IDLE_ROUNDS)
  return Object.keys(calls).map((what, index) => {
    const idleLatencies = [...(before[index] ?? []), ...(after[index] ?? [])]
    return compareFigures(
      `p99 of ${what} while a batch of ${numbers.length} runs (${latenciesDuring[index]?.length} calls)`,
      [percentile(latenciesDuring[index] ?? [], 0.99), 'ms'],
      ['without the batch', percentile(idleLatencies, 0.99)],
    )
  })
}

/** Measures the API for organisations. */
export async function measureKeys(benchmark: Benchmark): Promise<Figure[]> {
  const owner = await signInOwner(benchmark)
  return [
    ...(await measureReads(benchmark, owner)),
    ...(await measureRefusals(benchmark, owner)),
    ...(await measureDuringBatch(benchmark, owner)),
  ]
}
