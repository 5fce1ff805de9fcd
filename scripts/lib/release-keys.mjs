// Reads, generates and stores the private keys that sign releases. They are in `.data/release-keys.json`, which only its owner
// can read (docs/shipping.md, "Signatures"). This module imports no TypeScript, because the first `npm start` on a machine may
// run on an older Node.
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The ID of a machine's own key, as in `packages/contract/src/teams.ts`. */
const DEVELOPMENT_KEY = 'development'

/** @typedef {{ kid: string, kty: 'OKP', crv: 'Ed25519', x: string, d: string }} PrivateKey */

/** @param {string} folder */
export const keysFile = folder => path.join(folder, 'release-keys.json')

/** @param {string} text @param {string} source @returns {PrivateKey[]} */
export function parseKeys(text, source) {
  let content
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error(
      `${source} is not JSON: use a JWK or a JWK set, as \`npm run releases -- new-key\` writes it.`,
    )
  }
  const keys = Array.isArray(content?.keys) ? content.keys : [content]
  const isKey = key => key?.kty === 'OKP' && key.crv === 'Ed25519' && key.kid && key.x && key.d
  if (!keys.every(isKey)) throw new Error(`${source}: every key must be a private Ed25519 JWK with a kid.`)
  return keys
}

/** @param {string} folder @returns {PrivateKey[]} */
export const storedKeys = folder =>
  existsSync(keysFile(folder)) ? parseKeys(readFileSync(keysFile(folder), 'utf8'), keysFile(folder)) : []

/**
 * Stores the keys in a folder.
 * @param {string} folder
 * @param {PrivateKey[]} keys
 * @param {{ once?: boolean }} [options] `once`: keeps a file that another process created in the meantime
 */
export function storeKeys(folder, keys, { once = false } = {}) {
  mkdirSync(folder, { recursive: true })
  const draft = `${keysFile(folder)}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: 0o600 })
  if (!once) return renameSync(draft, keysFile(folder))
  try {
    linkSync(draft, keysFile(folder))
  } catch (error) {
    if (!existsSync(keysFile(folder))) throw error
  } finally {
    rmSync(draft)
  }
}

/** @param {string} kid @returns {PrivateKey} */
export function newKey(kid) {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return /** @type {PrivateKey} */ ({ kid, kty, crv, x, d })
}

/**
 * Returns the key of this machine, which signs what `npm start` builds outside of production. It is generated the first time.
 * @param {string} folder
 */
export function developmentKey(folder) {
  const stored = storedKeys(folder)
  const storedKey = stored.find(({ kid }) => kid === DEVELOPMENT_KEY)
  if (storedKey) return storedKey
  const key = newKey(DEVELOPMENT_KEY)
  storeKeys(folder, [...stored, key], { once: stored.length === 0 })
  return stored.length === 0 ? developmentKey(folder) : key
}
