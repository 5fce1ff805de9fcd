import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Fault } from '../fault.ts'
import {
  createHashQueue,
  hashPassword,
  hashQueue,
  listExtraHashes,
  needsRehash,
  verifyPassword,
} from './passwords.ts'

/** The cost in production, and a low cost that keeps tests fast but gives no protection. */
const USUAL_COST = 15
const CHEAP_COST = 10

/** "Pässwörd 1" hashed by another implementation (Python's `hashlib.scrypt`), and with one parameter changed. */
const SALT = 'c2l4dGVlbiBieXRlcy4uLg'
const FROM_PYTHON = `scrypt$1024$8$3$${SALT}$jupaAqVOnOMkFj_Jyz_46_NPMULNLcAQpKCr_ZGhluU`
const OTHER_R = `scrypt$1024$16$3$${SALT}$uVPiJzioh9DNKsVjhOGglvLVDwsCbz3ffZTvZj7UVW4`
const OTHER_P = `scrypt$1024$8$12$${SALT}$fbX74_O7vcjIgHk6o8qNeqcpuKvZH2KF1e2XKiifn0Y`

const WORK_AT_USUAL_COST = 2 ** USUAL_COST * 8 * 3

/** Checks a wrong password, and returns the product N·r·p of all hashes computed, to which their CPU time is proportional. */
async function workToVerify(stored: string | undefined) {
  const scrypt = vi.spyOn(crypto, 'scrypt')
  // Replaces the named import too. A module mock would have no effect, because another file may have loaded `passwords.ts`.
  syncBuiltinESMExports()
  await verifyPassword('Wrong1234', stored, USUAL_COST)
  const computed = scrypt.mock.calls.map(call => call[3] as { N: number; r: number; p: number })
  scrypt.mockRestore()
  syncBuiltinESMExports()
  return computed.reduce((sum, { N, r, p }) => sum + N * r * p, 0)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('passwords', () => {
  test('are stored as salted scrypt with their parameters', { tags: ['QUALITY-11'] }, async () => {
    const [firstHash, secondHash] = await Promise.all([
      hashPassword('Demo1234', USUAL_COST),
      hashPassword('Demo1234', USUAL_COST),
    ])
    expect(firstHash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    expect(firstHash).not.toBe(secondHash)
  })

  test('match only themselves', async () => {
    const stored = await hashPassword('Pässwörd 1', CHEAP_COST)
    expect(await verifyPassword('Pässwörd 1', stored, CHEAP_COST)).toBe(true)
    expect(await verifyPassword('pässwörd 1', stored, CHEAP_COST)).toBe(false)
    expect(await verifyPassword('Pässwörd 1'.normalize('NFD'), stored, CHEAP_COST)).toBe(true)
  })

  test('do not match if there is no account or the hash is damaged', async () => {
    expect(await verifyPassword('Demo1234', undefined, CHEAP_COST)).toBe(false)
    expect(await verifyPassword('Demo1234', 'scrypt$oops', CHEAP_COST)).toBe(false)
    expect(await verifyPassword('', '', CHEAP_COST)).toBe(false)
  })

  test('are hashed for unknown accounts too, so that responses take the same time', async () => {
    const run = vi.spyOn(hashQueue, 'run')
    await verifyPassword('Demo1234', undefined, CHEAP_COST)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test.each([5, 10, 14, 15, 16])(
    'hashed at cost %s take at least as much work to check as at cost 15',
    cost => {
      const parametersAt = (power: number) => ({ N: 2 ** power, r: 8, p: 3 })
      const work = [parametersAt(cost), ...listExtraHashes(parametersAt(cost), parametersAt(15))].reduce(
        (sum, { N }) => sum + N,
        0,
      )
      expect(work).toBe(2 ** Math.max(cost, 15))
    },
  )

  test('take the same work to check even if the hash is older, damaged or missing', {
    tags: ['QUALITY-58'],
  }, async () => {
    const hashes = [await hashPassword('Demo1234', USUAL_COST), FROM_PYTHON, 'scrypt$oops', undefined]
    for (const stored of hashes) expect(await workToVerify(stored), stored).toBe(WORK_AT_USUAL_COST)
    // Other proportions cannot be completed exactly; this hash adds its own work, which is small.
    expect(await workToVerify(OTHER_R)).toBe(WORK_AT_USUAL_COST + 1024 * 16 * 3)
  })

  test.each([FROM_PYTHON, OTHER_R, OTHER_P])('hashed by other software match %s', async stored => {
    expect(await verifyPassword('Pässwörd 1', stored, USUAL_COST)).toBe(true)
    expect(await verifyPassword('Pässwörd 2', stored, USUAL_COST)).toBe(false)
  })

  test('do not match a hash with text before or after it', async () => {
    for (const stored of [`x${FROM_PYTHON}`, `${FROM_PYTHON}$x`])
      expect(await verifyPassword('Pässwörd 1', stored, CHEAP_COST)).toBe(false)
  })

  test('need a new hash if any parameter differs or the hash is damaged', () => {
    expect(needsRehash(FROM_PYTHON, CHEAP_COST)).toBe(false)
    for (const stored of [OTHER_R, OTHER_P, 'scrypt$oops']) expect(needsRehash(stored, CHEAP_COST)).toBe(true)
    expect(needsRehash(FROM_PYTHON, CHEAP_COST + 1)).toBe(true)
  })

  test('hashed with lower parameters still match, and need a new hash', async () => {
    const old = await hashPassword('Demo1234', CHEAP_COST)
    expect(await verifyPassword('Demo1234', old, USUAL_COST)).toBe(true)
    expect(needsRehash(old, USUAL_COST)).toBe(true)
    expect(needsRehash(await hashPassword('Demo1234', USUAL_COST), USUAL_COST)).toBe(false)
  })

  test('beyond the queue limit are refused with 503, and the others are hashed', {
    tags: ['OPERATIONS-1'],
  }, async () => {
    const acceptedCount = 41 * hashQueue.slots
    const results = await Promise.allSettled(
      Array.from({ length: acceptedCount + 40 }, () => hashPassword('Demo1234', CHEAP_COST)),
    )
    const refused = results.filter(result => result.status === 'rejected')
    expect(results.length - refused.length).toBe(acceptedCount)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Fault)
      expect(reason.status).toBe(503)
      expect(reason.retryAfter).toBeGreaterThan(0)
    }
    expect(hashQueue).toMatchObject({ running: 0, waiting: 0, rejected: 40 })
    expect(await hashPassword('Demo1234', CHEAP_COST)).toMatch(/^scrypt\$/)
  })
})

describe('the queue of hashes', () => {
  test.each([
    [undefined, 1],
    [1, 1],
    [2, 1],
    [5, 4],
  ])('on %s cores runs %s in parallel, so that one core stays free', (cores, slots) => {
    expect(createHashQueue(cores).slots).toBe(slots)
  })

  test('lets forty hashes wait for each slot', async () => {
    const queue = createHashQueue(5)
    let endTask = () => {}
    const held = new Promise<void>(resolve => {
      endTask = resolve
    })
    const all = Array.from({ length: 4 + 160 }, () => queue.run(() => held))
    expect(queue).toMatchObject({ running: 4, waiting: 160 })
    await expect(queue.run(() => held)).rejects.toMatchObject({ status: 503 })
    endTask()
    await Promise.all(all)
    expect(queue).toMatchObject({ running: 0, waiting: 0 })
  })
})
