import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { WorkQueue } from './work-queue.ts'

/*
 * Passwords are stored as `scrypt$N$r$p$salt$hash` (salt and hash in base64url). The parameters are stored with each hash, so
 * that `PASSWORD_COST` can be raised; the next login then stores a new hash. `cost` is the binary logarithm of N. At 15,
 * OWASP's recommendation with r 8 and p 3, a hash takes 32 MiB and about 200 ms; each increment doubles both.
 */

interface Parameters {
  N: number
  r: number
  p: number
}

const scryptParametersOf = (cost: number): Parameters => ({ N: 2 ** cost, r: 8, p: 3 })
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Creates the queue for hashing. Each hash runs on a separate thread and occupies memory and a core, so one core is left for
 * other requests: a flood of logins does not slow them down. At most about ten seconds of hashing may be queued.
 */
export function createHashQueue(cores: number | undefined): WorkQueue {
  const slots = Math.max(1, (cores ?? 2) - 1)
  return new WorkQueue(slots, 40 * slots)
}

export const hashQueue = createHashQueue(globalThis.navigator?.hardwareConcurrency)

// Normalises the password, because keyboards may encode the same accented letter differently.
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))

const derive = (bytes: Buffer, salt: Buffer, { N, r, p }: Parameters, length: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(bytes, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

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
 * Hashes a password for storage.
 * @throws Fault `DATABASE_UNAVAILABLE` (503) when too many hashes are waiting already
 */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const parameters = scryptParametersOf(cost)
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashQueue.run(() => derive(bytesOf(password), salt, parameters, HASH_BYTES))
  return encode(parameters, salt, hash)
}

const hashingCostOf = ({ N, r, p }: Parameters) => N * r * p

/**
 * Returns the extra hashes that make a check with `current` parameters take as long as one with `target`, so that the response
 * time does not reveal which accounts have an older hash. The work is proportional to N, and N + (N + 2N + ... + target/2)
 * equals the target.
 */
export function listExtraHashes(current: Parameters, target: Parameters): Parameters[] {
  if (hashingCostOf(current) >= hashingCostOf(target)) return []
  if (current.r !== target.r || current.p !== target.p) return [target]
  const extraHashes: Parameters[] = []
  for (let N = current.N; N < target.N; N *= 2) extraHashes.push({ ...current, N })
  return extraHashes
}

/**
 * The costliest parameters seen in a stored hash so far. If the cost was lowered, older hashes still need more work than new
 * ones.
 */
let costliestParameters: Parameters | undefined

/**
 * Checks a password. Compares in constant time, and does the same work for every account: that of the highest cost among the
 * stored hashes seen so far.
 * @param stored the account's hash, or undefined if there is no account
 * @param cost configured cost of new hashes
 * @throws Fault `DATABASE_UNAVAILABLE` (503) when too many hashes are waiting already
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  cost: number,
): Promise<boolean> {
  const decoded = stored === undefined ? undefined : decode(stored)
  const configuredParameters = scryptParametersOf(cost)
  if (
    decoded &&
    hashingCostOf(decoded.parameters) > hashingCostOf(costliestParameters ?? configuredParameters)
  )
    costliestParameters = decoded.parameters
  const target =
    costliestParameters && hashingCostOf(costliestParameters) > hashingCostOf(configuredParameters)
      ? costliestParameters
      : configuredParameters
  const bytes = bytesOf(password)
  return await hashQueue.run(async () => {
    const { parameters, salt, hash } = decoded ?? {
      parameters: target,
      salt: Buffer.alloc(SALT_BYTES),
      hash: Buffer.alloc(HASH_BYTES),
    }
    const derived = await derive(bytes, salt, parameters, hash.length)
    for (const extra of listExtraHashes(parameters, target)) await derive(bytes, salt, extra, HASH_BYTES)
    return timingSafeEqual(derived, hash) && decoded !== undefined
  })
}

/** True if the hash was created with parameters other than the current ones. */
export function needsRehash(stored: string, cost: number): boolean {
  const parameters = decode(stored)?.parameters
  const { N, r, p } = scryptParametersOf(cost)
  return parameters?.N !== N || parameters.r !== r || parameters.p !== p
}
