import type { RemotesConfig } from '@portal/contract/remote'
import { earlyConfig } from './early.ts'

const FRESH_MS = 60_000
const TIME_LIMIT_MS = 5_000

let current: RemotesConfig | undefined
let readAt = 0
let reading: Promise<RemotesConfig> | undefined

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function isIntegrity(value: unknown): boolean {
  return (
    value === undefined ||
    (isRecord(value) && typeof value.manifest === 'string' && typeof value.entry === 'string')
  )
}

/** True for what `/config/remotes.json` must look like. */
export function isRemotesConfig(value: unknown): value is RemotesConfig {
  return (
    isRecord(value) &&
    Array.isArray(value.remotes) &&
    value.remotes.every(
      remote =>
        isRecord(remote) &&
        typeof remote.name === 'string' &&
        typeof remote.manifest === 'string' &&
        isIntegrity(remote.integrity),
    )
  )
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
  const config = await (earlyConfig()?.catch(ask) ?? ask())
  if (!isRemotesConfig(config)) throw new Error('remotes.json: not in the expected shape')
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

/** The next `remotesConfig()` reads the file again. */
export function expireConfig(): void {
  readAt = 0
}

export function pinsOf(name: string | undefined) {
  return current?.remotes.find(remote => remote.name === name)?.integrity
}

/** The origins that scripts may come from: the page's own and those of the live remotes. */
export function scriptOrigins(): Set<string> {
  const remotes = current?.remotes ?? []
  return new Set([location.origin, ...remotes.map(({ manifest }) => new URL(manifest, location.href).origin)])
}
