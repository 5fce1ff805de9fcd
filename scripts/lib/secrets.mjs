// Generates missing secrets once and stores them in `.data/secrets.json`, which only its owner can read.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const generators = {
  JWT_SECRET: () => randomBytes(48).toString('base64url'),
  PAYMENT_WEBHOOK_SECRET: () => randomBytes(48).toString('base64url'),
  LETTER_SIGNING_KEY: () =>
    JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })),
}

const codeOf = error => (error instanceof Error && 'code' in error ? error.code : error)

function readSecrets(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    // The file must never be overwritten: it contains the letter keys.
    throw new Error(
      error instanceof SyntaxError
        ? `${file} is damaged. Restore it from a backup; or remove it to generate new secrets, which ends sessions and gives letters another key.`
        : `${file} cannot be read (${codeOf(error)}): make the user who runs this command its owner.`,
    )
  }
}

/**
 * Returns the three secrets, but none in production. Each comes from the environment, else from `folder`, where a missing one
 * is generated and stored.
 */
export function secretsFor(environment, folder) {
  if (environment.NODE_ENV === 'production') return {}
  const file = path.join(folder, 'secrets.json')
  const stored = readSecrets(file)
  const missing = Object.keys(generators).filter(name => !stored[name])
  if (missing.length > 0) {
    for (const name of missing) stored[name] = generators[name]()
    mkdirSync(folder, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    renameSync(draft, file)
  }
  return Object.fromEntries(Object.keys(generators).map(name => [name, environment[name] || stored[name]]))
}
