import { describe, expect, test } from 'vitest'
import { Fault } from '../fault.ts'
import { hashing, hashPassword, needsRehash, verifyPassword } from './passwords.ts'

/** What the product takes unless told otherwise, and what is no protection but quick. */
const USUAL = 15
const CHEAP = 10

describe('passwords', () => {
  test('are stored as salted scrypt with their parameters', async () => {
    const [one, two] = await Promise.all([hashPassword('Demo1234', USUAL), hashPassword('Demo1234', USUAL)])
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
  })

  test('match themselves alone', async () => {
    const stored = await hashPassword('Pässwörd 1', CHEAP)
    expect(await verifyPassword('Pässwörd 1', stored, CHEAP)).toBe(true)
    expect(await verifyPassword('pässwörd 1', stored, CHEAP)).toBe(false)
    expect(await verifyPassword('Pässwörd 1'.normalize('NFD'), stored, CHEAP)).toBe(true)
  })

  test('match nothing when there is no account or the hash is damaged', async () => {
    expect(await verifyPassword('Demo1234', undefined, CHEAP)).toBe(false)
    expect(await verifyPassword('Demo1234', 'scrypt$oops', CHEAP)).toBe(false)
    expect(await verifyPassword('', '', CHEAP)).toBe(false)
  })

  test('hashed with lower parameters still match, and ask to be hashed anew', async () => {
    const old = await hashPassword('Demo1234', CHEAP)
    expect(await verifyPassword('Demo1234', old, USUAL)).toBe(true)
    expect(needsRehash(old, USUAL)).toBe(true)
    expect(needsRehash(await hashPassword('Demo1234', USUAL), USUAL)).toBe(false)
  })

  test('beyond what can wait are refused with 503, and the rest is served', async () => {
    const most = 41 * hashing.places
    const results = await Promise.allSettled(
      Array.from({ length: most + 40 }, () => hashPassword('Demo1234', CHEAP)),
    )
    const refused = results.filter(result => result.status === 'rejected')
    expect(results.length - refused.length).toBe(most)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Fault)
      expect(reason.status).toBe(503)
      expect(reason.retryAfter).toBeGreaterThan(0)
    }
    expect(hashing).toMatchObject({ running: 0, waiting: 0, refused: 40 })
    expect(await hashPassword('Demo1234', CHEAP)).toMatch(/^scrypt\$/)
  })
})
