// Signs pointer entries with the key of their team, and checks signatures against the teams' keys (docs/shipping.md,
// "Signatures"). Private keys are stored in `.data/release-keys.json` or in RELEASE_SIGNING_KEYS, never in the releases folder.
import { createPrivateKey, sign as signBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { signedBytes } from '../../packages/contract/src/signed-entry.ts'
import {
  findTeam,
  isValidAt,
  readTeams,
  requiresSignatures,
  signatureProblem,
} from '../../packages/contract/src/teams.ts'
import { developmentKey, keysFile, newKey, parseKeys, storedKeys, storeKeys } from '../lib/release-keys.mjs'
import { root } from '../lib/setup.mjs'
import { teamsText } from '../lib/teams-file.mjs'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {import('./publish.mjs').Pointer} Pointer
 * @typedef {import('../../packages/contract/src/teams.ts').Trust} Trust
 * @typedef {import('../lib/release-keys.mjs').PrivateKey} PrivateKey
 */

/**
 * Signs pointer entries and checks signatures.
 * @typedef {object} Signing
 * @property {Trust} trust
 * @property {(app: string) => string | undefined} keyFor ID of the key that signs for this micro-frontend here
 * @property {(entry: Pointer, before?: Pointer) => Pointer} sign returns the entry with a signature that is newer than `before`
 * @property {(entry: Pointer) => Promise<void>} require throws if the entry is not signed as required
 */

/**
 * Returns a signing set-up with these teams and keys.
 * @param {{ teams: readonly import('../../packages/contract/src/teams.ts').Team[], keys: readonly PrivateKey[],
 *   development?: PrivateKey | undefined, now?: () => number }} options
 * @returns {Signing}
 */
export function signingWith({ teams, keys, development, now = Date.now }) {
  const trust = { teams, developmentKey: development?.x }
  const keyOf = app => {
    const validKeys = (findTeam(trust, app)?.keys ?? []).filter(key => isValidAt(key, now()))
    // The newest key comes first: during a rotation, both are valid.
    const availableKeys = validKeys
      .sort((a, b) => b.from.localeCompare(a.from))
      .flatMap(({ id, x }) => keys.find(key => key.kid === id && key.x === x) ?? [])
    return availableKeys[0] ?? development
  }
  return {
    trust,
    keyFor: app => keyOf(app)?.kid,
    sign({ signature: _, signed: __, ...entry }, before) {
      const key = keyOf(entry.name)
      if (!key) {
        if (!requiresSignatures(trust)) return entry
        const owner = findTeam(trust, entry.name)
        throw new Refusal(
          owner
            ? `There is no valid private key of team ${owner.name} here, which releases ${entry.name}: set RELEASE_SIGNING_KEYS (docs/shipping.md, "Signatures"). Nothing was changed.`
            : `No team of teams.json has ${entry.name}. Nothing was changed.`,
        )
      }
      const at = Math.max(now(), (before?.signed?.at ?? 0) + 1)
      const content = { ...entry, signed: { by: key.kid, at } }
      const bytes = signedBytes(content)
      return {
        ...content,
        signature: signBytes(null, bytes, createPrivateKey({ key, format: 'jwk' })).toString('base64'),
      }
    },
    async require(entry) {
      const problem = await signatureProblem(trust, entry, now())
      if (problem) throw new Refusal(`${problem}. Nothing was changed (docs/shipping.md, "Signatures").`)
    },
  }
}

/**
 * Returns the signing set-up of this checkout, with the teams of its `teams.json` and the private keys of the environment and
 * of `.data`.
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Signing}
 */
export function signingOf(environment = process.env, folder = path.join(root, '.data')) {
  const { RELEASE_SIGNING_KEYS: text } = environment
  const environmentKeys = text ? parseKeys(text, 'RELEASE_SIGNING_KEYS') : []
  return signingWith({
    teams: readTeams(JSON.parse(readFileSync(path.join(root, 'teams.json'), 'utf8'))),
    keys: [...environmentKeys, ...storedKeys(folder)],
    development: environment.NODE_ENV === 'production' ? undefined : developmentKey(folder),
  })
}

/**
 * Adds a key to a team: the private half to `.data/release-keys.json`, the public half to `teams.json`. The team's other keys
 * remain valid.
 * @param {{ team: string, checkout?: string, folder?: string, now?: number }} options `checkout`: its path; `folder`: of the
 *   private keys
 * @returns {string[]}
 */
export function addKey({ team, checkout = root, folder = path.join(root, '.data'), now = Date.now() }) {
  const file = path.join(checkout, 'teams.json')
  const content = JSON.parse(readFileSync(file, 'utf8'))
  const teams = readTeams(content)
  if (!teams.some(({ name }) => name === team))
    throw new Refusal(`Which team? Use one of teams.json: ${teams.map(({ name }) => name).join(', ')}.`)
  const from = new Date(now).toISOString().slice(0, 10)
  const usedIds = new Set(teams.flatMap(({ keys }) => keys.map(({ id }) => id)))
  let id = `${team}-${from}`
  for (let next = 2; usedIds.has(id); next++) id = `${team}-${from}-${next}`
  const key = newKey(id)
  storeKeys(folder, [...storedKeys(folder), key])
  const updatedTeams = content.teams.map(item =>
    item.name === team ? { ...item, keys: [...item.keys, { id, x: key.x, from }] } : item,
  )
  readTeams({ teams: updatedTeams })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, teamsText(updatedTeams))
  renameSync(draft, file)
  const teamsWithoutKey = updatedTeams.filter(({ keys }) => keys.length === 0).map(({ name }) => name)
  return [
    `${id}: the public key is in teams.json, the private key in ${keysFile(folder)}.`,
    'Commit teams.json and deploy the portal; keep the private key as a secret of your build server (RELEASE_SIGNING_KEYS).',
    ...(teamsWithoutKey.length > 0
      ? [`Production now requires signatures. Without a key: team ${teamsWithoutKey.join(', ')}.`]
      : []),
  ]
}
