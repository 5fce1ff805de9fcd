import { isRecord } from '@portal/contract/is-record'
import type { Canary, RemotePointer, RemotesConfig } from '@portal/contract/remote'
import { takeEarlyConfig } from './early.ts'

const FRESH_MS = 60_000
const TIME_LIMIT_MS = 5_000

let lastConfig: RemotesConfig | undefined
let readAt = 0
let reading: Promise<RemotesConfig> | undefined

/** Returns true for an integrity hash in the format that browsers accept; they ignore any other. */
const isHash = (value: unknown) => /^sha384-[\w+/]{64}$/.test(`${value}`)

/** Returns true for a valid integrity. Only development servers may omit it, because their files change with each save. */
function isIntegrity(value: unknown): boolean {
  if (process.env.NODE_ENV !== 'production' && value === undefined) return true
  return isRecord(value) && isHash(value.manifest) && isHash(value.entry)
}

/** Returns true for a micro-frontend from a developer's machine, whose files change with each save. */
export const isOverridden = (name: unknown): boolean =>
  name !== undefined && name === globalThis.document?.documentElement.dataset.override

const isText = (value: unknown): value is string => typeof value === 'string'

const isArea = (value: unknown): boolean =>
  value === undefined ||
  (isRecord(value) && isText(value.path) && isText(value.title) && Array.isArray(value.roles))

const isRelease = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  isText(value.manifest) &&
  URL.canParse(value.manifest, location.href) &&
  (isIntegrity(value.integrity) || isOverridden(value.name))

const isCanary = (value: unknown): value is Canary =>
  isRelease(value) && isText(value.release) && Array.isArray(value.accounts)

const isPointer = (value: unknown): value is RemotePointer =>
  isRelease(value) && isText(value.name) && isArea(value.area)

const isConfig = (value: unknown): value is RemotesConfig => isRecord(value) && Array.isArray(value.remotes)

/**
 * Parses `/config/remotes.json`. An invalid entry affects only its own micro-frontend, and an invalid canary only itself.
 * Returns undefined if the file is not a list of remotes.
 */
export function parseRemotesConfig(value: unknown): RemotesConfig | undefined {
  if (!isConfig(value)) return undefined
  const remotes = value.remotes
    .filter(isPointer)
    .map(({ canary, ...live }) => (isCanary(canary) ? { ...live, canary } : live))
  if (remotes.length < value.remotes.length) console.error('remotes.json:', value.remotes)
  return { ...value, remotes }
}

async function fetchConfig(): Promise<unknown> {
  // An unchanged file costs only one round trip, because the server answers 304.
  const response = await fetch('/config/remotes.json', {
    cache: 'no-cache',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  if (!response.ok) throw new Error(`remotes.json: HTTP ${response.status}`)
  return response.json()
}

async function readConfig(): Promise<RemotesConfig> {
  const config = parseRemotesConfig(await (takeEarlyConfig()?.catch(fetchConfig) ?? fetchConfig()))
  if (!config) throw new Error('remotes.json: wrong shape')
  lastConfig = config
  readAt = Date.now()
  return config
}

/**
 * Returns the live releases. All callers share one request, which is repeated after a minute; if it fails, the old copy is
 * used.
 */
export function loadRemotesConfig(): Promise<RemotesConfig> {
  if (lastConfig && Date.now() - readAt < FRESH_MS) return Promise.resolve(lastConfig)
  reading ??= readConfig()
    .catch((error: unknown) => {
      if (lastConfig) return lastConfig
      throw error
    })
    .finally(() => {
      reading = undefined
    })
  return reading
}

/** Returns the remotes that were last read, if any. */
export const knownRemotes = (): RemotesConfig | undefined => lastConfig

/** Makes the next `loadRemotesConfig()` read the file again. */
export function expireConfig(): void {
  readAt = 0
}

/** Returns the origins of scripts: the page's own and those of the live remotes and their canaries. */
export function scriptOrigins(): Set<string> {
  const releases = (lastConfig?.remotes ?? []).flatMap(({ canary, ...live }) => [live, canary ?? live])
  return new Set([
    location.origin,
    ...releases.map(({ manifest }) => new URL(manifest, location.href).origin),
  ])
}
