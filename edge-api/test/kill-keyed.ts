import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client'
import { ORGANISATION_LIMITS } from '@portal/contract/organisation-shapes'
import { DEMO_PASSWORD, personas } from '@portal/fixtures/personas'
import { createRandom } from '@portal/fixtures/random'
import { expect } from 'vitest'
import { addCertificates, callOk } from './kill-organisation.ts'
import { type ApiResponse, eventually, request, signIn, staffToken } from './portal.ts'
import { type RunningPortal, startPortal } from './servers/portal-server.ts'

/*
 * Kills a whole portal with SIGKILL repeatedly while calls with an API key verify numbers and start batches, each with its
 * own idempotency key. Then every call is repeated with the same key: acknowledged responses are replayed, and no
 * number is charged twice.
 */

export const FEE = 5000
const SINGLE_COUNT = 8
const BATCH_SIZE = 3
/** Maximum lifetime of the portal after the first call of a round, in milliseconds. */
const MAX_LIFETIME_MS = 400

interface IdempotentCall {
  path: '/v1/verifications' | '/v1/batches'
  idempotencyKey: string
  body: { certificate_number: string; reference: string } | { certificate_numbers: readonly string[] }
}

const send = (
  portal: RunningPortal,
  secret: string,
  { path: callPath, idempotencyKey, body }: IdempotentCall,
) =>
  request('POST', callPath, {
    token: secret,
    body,
    headers: { 'idempotency-key': idempotencyKey },
    portal,
  })

/** Returns the calls of one round: some numbers one by one, and a batch. */
const makeCalls = (round: number, numbers: readonly string[]): IdempotentCall[] => [
  ...numbers.slice(0, SINGLE_COUNT).map(
    (certificate_number, index): IdempotentCall => ({
      path: '/v1/verifications',
      idempotencyKey: `single-${round}-${index}`,
      body: { certificate_number, reference: `HR-${round}-${index}` },
    }),
  ),
  {
    path: '/v1/batches',
    idempotencyKey: `batch-${round}`,
    body: { certificate_numbers: numbers.slice(SINGLE_COUNT) },
  },
]

const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotent-replayed') === 'true'

/** Repeats a call twice. The last response must be a replay, and so must the first if the original response had arrived. */
async function repeatCall(
  portal: RunningPortal,
  secret: string,
  call: IdempotentCall,
  acknowledged: ApiResponse | undefined,
) {
  const repeated = await send(portal, secret, call)
  expect([call.idempotencyKey, repeated.status]).toEqual([call.idempotencyKey, 201])
  if (acknowledged) {
    expect(repeated.body).toEqual(acknowledged.body)
    expect(isReplayed(repeated)).toBe(true)
  }
  const repeatedAgain = await send(portal, secret, call)
  expect([repeatedAgain.status, isReplayed(repeatedAgain)]).toEqual([201, true])
  expect(repeatedAgain.body).toEqual(repeated.body)
  return isReplayed(repeated)
}

/** Waits until no more than `max` batches run; the limit of an organisation is five. */
const waitUntilAtMostRunning = (portal: RunningPortal, secret: string, max: number) =>
  eventually(async () => {
    const { pagination } = await callOk(portal, 'GET', '/v1/batches?status=processing', secret)
    return pagination.total <= max ? pagination : undefined
  }, `at most ${max} batches to run`)

/** Returns the organisation's charges and verifications in the database at `url`. */
export async function readCharges(url: string, id: string) {
  const client = createClient({ url, timeout: 30_000 })
  try {
    const { rows } = await client.execute({
      sql: `select v.certificate_number as number, count(*) as verifications, count(v.payment_id) as payments,
          sum(v.amount_minor) as charged
        from organisation_verifications v where v.organisation_id = ? and v.source = 'api' group by 1`,
      args: [id],
    })
    return rows.map(row => ({ ...row }))
  } finally {
    client.close()
  }
}

/** Creates a live key of the demo data's organisation, which is vetted, and credits `amount` major units. */
export async function createLiveKey(
  portal: RunningPortal,
  amount: number,
): Promise<{ id: string; secret: string }> {
  const { token } = await signIn(personas.employer.email, DEMO_PASSWORD, portal)
  const { organisations } = await callOk(portal, 'GET', '/account/areas', token)
  const { id } = organisations[0]
  await callOk(
    portal,
    'POST',
    `/admin/organisations/${id}/credits`,
    await staffToken('super_admin', portal),
    {
      amount,
      bank_reference: 'FT KEYED',
      received_on: new Date().toISOString().slice(0, 10),
    },
  )
  const body = { name: 'Killed', mode: 'live', access: 'write', current_password: DEMO_PASSWORD }
  return { id, secret: (await callOk(portal, 'POST', `/organisations/${id}/keys`, token, body)).secret }
}

/**
 * Kills a portal `kills` times during calls with an API key, and repeats all of them with the next portal.
 * @param seed the seed of the random times of the kills
 * @returns a description of the repeated calls
 */
export async function killDuringKeyedCalls(kills: number, seed: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-killed-keyed-'))
  const random = createRandom(seed)
  let portal: RunningPortal | undefined
  try {
    portal = await startPortal({ FOLDER: folder })
    const { id, secret } = await createLiveKey(portal, kills * (SINGLE_COUNT + BATCH_SIZE) * FEE)
    const numbers: string[] = []
    const counts = { acknowledged: 0, lost: 0, replayed: 0 }
    for (let round = 0; round < kills; round++) {
      await waitUntilAtMostRunning(portal, secret, ORGANISATION_LIMITS.batches - 1)
      const roundNumbers = await addCertificates(
        portal,
        await staffToken('admin', portal),
        SINGLE_COUNT + BATCH_SIZE,
      )
      numbers.push(...roundNumbers)
      const calls = makeCalls(round, roundNumbers)
      const { pids } = portal
      const currentPortal: RunningPortal = portal
      // The process is killed at a random time. This is the fault itself, not a wait for a condition.
      const killed = new Promise<void>(resolve => setTimeout(resolve, random.int(0, MAX_LIFETIME_MS))).then(
        () => process.kill(pids.portal ?? 0, 'SIGKILL'),
      )
      const outcomes = await Promise.allSettled(calls.map(call => send(currentPortal, secret, call)))
      await killed
      await currentPortal.stop()
      // The clock of the next portal is ten minutes ahead, so the leases of the dead process have expired.
      portal = await startPortal({ FOLDER: folder, CLOCK_OFFSET_SECONDS: String((round + 1) * 600) })
      for (const [index, call] of calls.entries()) {
        const outcome = outcomes[index]
        const acknowledgedResponse =
          outcome?.status === 'fulfilled' && outcome.value.status === 201 ? outcome.value : undefined
        const wasReplayed = await repeatCall(portal, secret, call, acknowledgedResponse)
        if (acknowledgedResponse) counts.acknowledged++
        else if (wasReplayed) counts.replayed++
        else counts.lost++
      }
    }
    await waitUntilAtMostRunning(portal, secret, 0)
    const charges = await readCharges(`file:${path.join(folder, 'portal.db')}`, id)
    expect(charges.filter(row => row.verifications !== 1 || row.payments !== 1)).toEqual([])
    expect(charges.every(({ charged }) => charged === FEE * 100)).toBe(true)
    const charged = new Set(charges.map(({ number }) => number))
    expect(numbers.filter(number => !charged.has(number))).toEqual([])
    return `${counts.acknowledged} acknowledged calls and ${counts.replayed} calls whose response was lost were replayed, ${counts.lost} calls only took effect when repeated; ${numbers.length} numbers were charged once`
  } finally {
    await portal?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
