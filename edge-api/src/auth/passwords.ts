import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { Turns } from './turns.ts'

/*
 * Passwords are stored as `scrypt$N$r$p$salt$hash` (salt and hash in base64url): the parameters stay with the hash,
 * so that they can rise; a login then stores the hash anew.
 */

interface Cost {
  N: number
  r: number
  p: number
}

/** OWASP's recommendation for scrypt with 32 MiB; about 200 ms. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Each hash holds 32 MiB and a core, on a thread of its own: one core is left to everyone else, so that a flood of log-ins
 * does not make them wait. Some ten seconds of hashes may wait at most.
 */
const PLACES = Math.max(1, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1)
export const hashing = new Turns(PLACES, 40 * PLACES)

function derive(password: string, salt: Buffer, { N, r, p }: Cost, length: number): Promise<Buffer> {
  // The same letters typed on another keyboard may arrive composed differently.
  const bytes = Buffer.from(password.normalize('NFKC'), 'utf8')
  return hashing.take(
    () =>
      new Promise((resolve, reject) => {
        scrypt(bytes, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}

const encode = ({ N, r, p }: Cost, salt: Buffer, hash: Buffer) =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')

function decode(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } | undefined {
  const parts = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(stored)
  if (!parts) return undefined
  const [, N, r, p, salt = '', hash = ''] = parts
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

/**
 * Hashes a password for storing.
 * @throws Fault `DATABASE_UNAVAILABLE` (503) when too many hashes are waiting already
 */
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return encode(cost, salt, await derive(password, salt, cost, HASH_BYTES))
}

/** A hash that no password matches: a login for an unknown e-mail does the same work with it. */
const NOBODY = encode(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

/**
 * Compares in constant time.
 * @param stored the account's hash, or undefined when there is no account: then the work is done all the same
 * @throws Fault `DATABASE_UNAVAILABLE` (503) when too many hashes are waiting already
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const known = decode(stored ?? NOBODY)
  if (!known) return false
  const derived = await derive(password, known.salt, known.cost, known.hash.length)
  return timingSafeEqual(derived, known.hash) && stored !== undefined
}

/** True when the hash was made with other parameters than today's. */
export function needsRehash(stored: string): boolean {
  const cost = decode(stored)?.cost
  return cost?.N !== COST.N || cost.r !== COST.r || cost.p !== COST.p
}
