import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { Turns } from './turns.ts'

/*
 * Passwords are stored as `scrypt$N$r$p$salt$hash` (salt and hash in base64url): the parameters stay with the hash,
 * so that they can rise (`PASSWORD_COST`); a login then stores the hash anew. `cost` is the binary logarithm of N: at
 * 15, OWASP's recommendation with r 8 and p 3, a hash takes 32 MiB and about 200 ms; each step more doubles both.
 */

interface Parameters {
  N: number
  r: number
  p: number
}

const parametersOf = (cost: number): Parameters => ({ N: 2 ** cost, r: 8, p: 3 })
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Each hash holds its memory and a core, on a thread of its own: one core is left to everyone else, so that a flood of log-ins
 * does not make them wait. Some ten seconds of hashes may wait at most.
 */
export function turnsOn(cores: number | undefined): Turns {
  const places = Math.max(1, (cores ?? 2) - 1)
  return new Turns(places, 40 * places)
}

export const hashing = turnsOn(globalThis.navigator?.hardwareConcurrency)

function derive(password: string, salt: Buffer, { N, r, p }: Parameters, length: number): Promise<Buffer> {
  // The same letters typed on another keyboard may arrive composed differently.
  const bytes = Buffer.from(password.normalize('NFKC'))
  return hashing.take(
    () =>
      new Promise((resolve, reject) => {
        scrypt(bytes, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}

const encode = ({ N, r, p }: Parameters, salt: Buffer, hash: Buffer) =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')

function decode(stored: string): { parameters: Parameters; salt: Buffer; hash: Buffer } | undefined {
  const parts = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(stored)
  if (!parts) return undefined
  const [, N, r, p, salt = '', hash = ''] = parts
  return {
    parameters: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

/**
 * Hashes a password for storing.
 * @throws Fault `DATABASE_UNAVAILABLE` (503) when too many hashes are waiting already
 */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const parameters = parametersOf(cost)
  const salt = randomBytes(SALT_BYTES)
  return encode(parameters, salt, await derive(password, salt, parameters, HASH_BYTES))
}

/** A hash that no password matches: a login for an unknown e-mail does the same work with it. */
const nobody = (cost: number) =>
  encode(parametersOf(cost), Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

/**
 * Compares in constant time.
 * @param stored the account's hash, or undefined when there is no account: then the work of `cost` is done all the same
 * @throws Fault `DATABASE_UNAVAILABLE` (503) when too many hashes are waiting already
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  cost: number,
): Promise<boolean> {
  const known = decode(stored ?? nobody(cost))
  if (!known) return false
  const derived = await derive(password, known.salt, known.parameters, known.hash.length)
  return timingSafeEqual(derived, known.hash) && stored !== undefined
}

/** True when the hash was made with other parameters than today's. */
export function needsRehash(stored: string, cost: number): boolean {
  const made = decode(stored)?.parameters
  const { N, r, p } = parametersOf(cost)
  return made?.N !== N || made.r !== r || made.p !== p
}
