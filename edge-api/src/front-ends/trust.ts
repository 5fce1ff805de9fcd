import { isRecord } from '@portal/contract/is-record'
import type { RemotePointer, RemotesConfig } from '@portal/contract/remote'
import { readTeams, requiresSignatures, signatureProblem, type Trust } from '@portal/contract/teams'
import teams from '../../../teams.json' with { type: 'json' }
import type { Environment } from '../environment.ts'
import type { Assets, Ports } from '../ports.ts'

/** Parsed only once, because in a worker the ports are created for each request. */
const ownTeams = readTeams(teams)

/**
 * Returns the teams whose releases this portal serves, with their keys. They are defined in the portal's code, because people
 * outside the team may be able to write to the releases folder.
 */
export const readTrust = ({ RELEASE_DEVELOPMENT_KEY: developmentKey }: Environment): Trust => ({
  teams: ownTeams,
  ...(developmentKey && { developmentKey }),
})

/**
 * In production, warns of settings that allow unsigned front ends: without keys, anyone who can write to the releases folder
 * can release; with overrides, a browser can run code that no team has released.
 */
export function warnOfUnsignedFrontEnds({ environment, log }: Pick<Ports, 'environment' | 'log'>): void {
  if (environment.NODE_ENV !== 'production') return
  if (!requiresSignatures(readTrust(environment)))
    log({ level: 'warn', event: 'releases_unsigned', reason: 'teams.json has no keys' })
  if (environment.FRONT_END_OVERRIDES.length > 0)
    log({ level: 'warn', event: 'overrides_allowed', origins: environment.FRONT_END_OVERRIDES })
}

/** Time of the latest signature that this portal has accepted for each micro-frontend, by name. */
type Serials = Readonly<Record<string, number>>

/** A pointer (`remotes.json`) that this portal has accepted. */
export type AcceptedConfig = RemotesConfig & { readonly serials?: Serials }

export interface CheckedConfig {
  /** The pointer after the check: each rejected entry is replaced by the last accepted one, or left out. */
  readonly config: AcceptedConfig
  /** Why entries were rejected. */
  readonly problems: readonly string[]
}

/** Parses a pointer without validating its entries. @returns undefined if it is not a pointer @throws if it is not JSON */
export function parseAcceptedConfig(text: string | undefined): AcceptedConfig | undefined {
  if (text === undefined) return undefined
  const content: unknown = JSON.parse(text)
  return isRecord(content) && Array.isArray(content.remotes)
    ? (content as unknown as AcceptedConfig)
    : undefined
}

/**
 * Checks that every entry of a valid pointer was signed by its team, and not earlier than the last accepted entry, so that no
 * one can bring back an older release.
 */
export async function checkSignatures(
  config: RemotesConfig,
  { trust, before, now }: { trust: Trust; before: AcceptedConfig | undefined; now: number },
): Promise<CheckedConfig> {
  if (!requiresSignatures(trust)) return { config, problems: [] }
  const serials: Record<string, number> = { ...before?.serials }
  const checked = await Promise.all(
    config.remotes.map(async entry => {
      const latest = serials[entry.name] ?? 0
      const problem = await signatureProblem(trust, entry, now)
      if (problem !== undefined) return { entry, problem }
      const signedAt = entry.signed?.at ?? 0
      return signedAt < latest
        ? { entry, problem: `${entry.name}: a later release was accepted before` }
        : { entry, signedAt }
    }),
  )
  const remotes = checked.flatMap(({ entry, problem, signedAt }): RemotePointer[] => {
    if (problem === undefined) {
      serials[entry.name] = signedAt ?? 0
      return [entry]
    }
    return before?.remotes.filter(({ name }) => name === entry.name) ?? []
  })
  return {
    config: { ...config, remotes, serials },
    problems: checked.flatMap(({ problem }) => problem ?? []),
  }
}

/** Path under which browsers request the pointer. */
export const POINTER_ADDRESS = '/config/remotes.json'

/**
 * Serves the pointer without entries that their team did not sign, on runtimes that store nothing between requests. There, an
 * older pointer can come back only if all files are deployed again.
 */
export function withSignedPointer(assets: Assets, { trust, log, clock }: SignedPointerOptions): Assets {
  if (!requiresSignatures(trust)) return assets
  return {
    ...assets,
    async get(path, request) {
      const response = await assets.get(path, request)
      if (path !== POINTER_ADDRESS || response?.status !== 200) return response
      const content = parseAcceptedConfig(await response.clone().text())
      if (!content) return response
      const checked = await checkSignatures(content, { trust, before: undefined, now: clock.now() })
      if (checked.problems.length === 0) return response
      log({ level: 'error', event: 'pointer_damaged', reason: checked.problems.join('; ') })
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }
      const { serials: _, ...config } = checked.config
      return new Response(JSON.stringify(config), { headers })
    },
  }
}

interface SignedPointerOptions extends Pick<Ports, 'log' | 'clock'> {
  readonly trust: Trust
}
