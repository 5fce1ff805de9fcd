import { isRecord } from '@portal/contract/is-record'
import type { Canary, RemotePointer, RemotesConfig } from '@portal/contract/remote'
import { earlyConfig } from './early.ts'

const FRESH_MS = 60_000
const TIME_LIMIT_MS = 5_000

let current: RemotesConfig | undefined
let readAt = 0
let reading: Promise<RemotesConfig> | undefined

function isIntegrity(value: unknown): boolean {
  return (
    value === undefined ||
    (isRecord(value) && typeof value.manifest === 'string' && typeof value.entry === 'string')
  )
}

function isArea(value: unknown): boolean {
  return (
    value === undefined ||
    (isRecord(value) &&
      typeof value.path === 'string' &&
      typeof value.title === 'string' &&
      Array.isArray(value.roles))
  )
}

const isRelease = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  typeof value.manifest === 'string' &&
  URL.canParse(value.manifest, location.href) &&
  isIntegrity(value.integrity)

const isCanary = (value: unknown): value is Canary =>
  isRelease(value) &&
  typeof value.release === 'string' &&
  typeof value.percent === 'number' &&
  Array.isArray(value.accounts)

const isPointer = (value: unknown): value is RemotePointer =>
  isRelease(value) && typeof value.name === 'string' && isArea(value.area)

const isConfig = (value: unknown): value is RemotesConfig => isRecord(value) && Array.isArray(value.remotes)

/**
 * Reads `/config/remotes.json`. An entry in another shape costs that micro-frontend alone, a canary in another shape
 * the canary alone. Undefined for what is no list of remotes.
 */
export function parseRemotesConfig(value: unknown): RemotesConfig | undefined {
  if (!isConfig(value)) return undefined
  const remotes = value.remotes
    .filter(isPointer)
    .map(({ canary, ...live }) => (isCanary(canary) ? { ...live, canary } : live))
  if (remotes.length < value.remotes.length) console.error('remotes.json:', value.remotes)
  return { ...value, remotes }
}

async function ask(): Promise<unknown> {
  // An unchanged file costs one round trip: the server answers 304.
  const response = await fetch('/config/remotes.json', {
    cache: 'no-cache',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  if (!response.ok) throw new Error(`remotes.json: HTTP ${response.status}`)
  return response.json()
}

async function read(): Promise<RemotesConfig> {
  const config = parseRemotesConfig(await (earlyConfig()?.catch(ask) ?? ask()))
  if (!config) throw new Error('remotes.json: not in the expected shape')
  current = config
  readAt = Date.now()
  return config
}

/** Which releases are live: one read shared by everyone, again when older than a minute; an old copy beats none. */
export function remotesConfig(): Promise<RemotesConfig> {
  if (current && Date.now() - readAt < FRESH_MS) return Promise.resolve(current)
  reading ??= read()
    .catch((error: unknown) => {
      if (current) return current
      throw error
    })
    .finally(() => {
      reading = undefined
    })
  return reading
}

/** As it was read last, if it was. */
export const knownRemotes = (): RemotesConfig | undefined => current

/** The next `remotesConfig()` reads the file again. */
export function expireConfig(): void {
  readAt = 0
}

/** The origins that scripts may come from: the page's own and those of the live remotes and their canaries. */
export function scriptOrigins(): Set<string> {
  const releases = (current?.remotes ?? []).flatMap(({ canary, ...live }) => [live, canary ?? live])
  return new Set([
    location.origin,
    ...releases.map(({ manifest }) => new URL(manifest, location.href).origin),
  ])
}
