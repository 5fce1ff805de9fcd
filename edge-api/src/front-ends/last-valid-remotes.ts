import { createHash } from 'node:crypto'
import { findConfigProblem, parseUsablePart } from '@portal/contract/remotes-config'
import { requiresSignatures, type Trust } from '@portal/contract/teams'
import { describeCause } from '../cause.ts'
import type { Database } from '../db/database.ts'
import type { Assets, Ports } from '../ports.ts'
import { readStoredPointer, storePointer } from './store.ts'
import { type AcceptedConfig, checkSignatures, POINTER_ADDRESS, parseAcceptedConfig } from './trust.ts'

interface CheckedPointer {
  /** The content of the file when it was checked. */
  readonly file: string | undefined
  /** The content to serve, or undefined if there is none. */
  readonly text: string | undefined
  readonly problem: string | undefined
  readonly etag: string
}

interface LastValidRemotesOptions extends Pick<Ports, 'clock' | 'log'> {
  /** The teams whose releases are served, with their keys. */
  trust: Trust
  database: Pick<Database, 'read' | 'write'>
  /** Starts work in the background. */
  background: Ports['background']
}

/**
 * Serves `remotes.json` while it is valid, and otherwise the last valid version, which is stored in the database (decision
 * 074). If there is no such version, the entries that are usable are served. An entry that its team did not sign, or whose
 * signature is older than that of the last accepted entry, is replaced by that last accepted entry.
 */
export function withLastValidRemotes(
  assets: Assets,
  { clock, log, database, background, trust }: LastValidRemotesOptions,
): Assets {
  const needsSignatures = requiresSignatures(trust)
  let latest: CheckedPointer | undefined
  let lastValidPointer: string | undefined
  /** The last problem that was logged, so that each problem is logged once. */
  let reportedProblem: string | undefined

  async function persist(content: string): Promise<void> {
    try {
      if ((await readStoredPointer(database.read)) === content) return
      await database.write(tx => storePointer(tx, { content, at: clock.now() }))
    } catch (cause) {
      // Clears the cache, so that the next request for the file tries again.
      latest = undefined
      log({ level: 'error', event: 'pointer_not_kept', cause: describeCause(cause) })
    }
  }

  function report(problem: string | undefined, servedSource: string): void {
    if (problem === reportedProblem) return
    reportedProblem = problem
    if (problem === undefined) log({ level: 'info', event: 'pointer_repaired' })
    else log({ level: 'error', event: 'pointer_damaged', reason: problem, served: servedSource })
  }

  /** Returns the entries that any process accepted last, without those whose key is no longer valid. */
  async function readAccepted(): Promise<AcceptedConfig | undefined> {
    const before = parseAcceptedConfig((await readStoredPointer(database.read)) ?? lastValidPointer)
    if (!before) return undefined
    const { config } = await checkSignatures(before, { trust, before: undefined, now: clock.now() })
    return { ...config, serials: { ...before.serials, ...config.serials } }
  }

  async function check(request: Request): Promise<CheckedPointer> {
    const response = await assets.get(POINTER_ADDRESS, new Request(new URL(POINTER_ADDRESS, request.url)))
    const file = response?.status === 200 ? await response.text() : undefined
    if (latest && latest.file === file) return latest
    let isDatabaseAvailable = true
    const databaseUnavailable = () => {
      isDatabaseAvailable = false
      return undefined
    }
    const problem = findConfigProblem(file)
    const validConfig = problem === undefined ? parseAcceptedConfig(file) : undefined
    if (file !== undefined && validConfig && !needsSignatures) {
      lastValidPointer = file
      latest = toCheckedPointer(file, file, undefined)
      background(persist(file))
      report(undefined, '')
      return latest
    }
    const accepted = needsSignatures ? await readAccepted().catch(databaseUnavailable) : undefined
    if (file !== undefined && validConfig) {
      const { config, problems } = await checkSignatures(validConfig, {
        trust,
        before: accepted,
        now: clock.now(),
      })
      const { serials: _, ...servedConfig } = config
      const text = problems.length === 0 ? file : JSON.stringify(servedConfig)
      lastValidPointer = JSON.stringify(config)
      const checked = toCheckedPointer(file, text, problems.join('; ') || undefined)
      if (isDatabaseAvailable) {
        latest = checked
        background(persist(lastValidPointer))
      }
      report(checked.problem, 'the last accepted version of those entries')
      return checked
    }
    lastValidPointer = needsSignatures
      ? accepted && JSON.stringify(accepted)
      : (lastValidPointer ?? (await readStoredPointer(database.read).catch(databaseUnavailable)))
    // If there have never been any front ends, this is not a problem to report.
    if (file === undefined && lastValidPointer === undefined)
      return toCheckedPointer(file, undefined, undefined)
    const usablePointer = lastValidPointer === undefined ? await readUsablePointer(file) : undefined
    const checked = toCheckedPointer(
      file,
      lastValidPointer ?? (usablePointer && JSON.stringify(usablePointer)),
      problem,
    )
    // While the database is unavailable, the result is not cached, so that the next request checks again.
    if (isDatabaseAvailable) latest = checked
    report(problem, describeServed(lastValidPointer, usablePointer))
    return checked
  }

  async function readUsablePointer(file: string | undefined) {
    const usableConfig = parseUsablePart(file)
    if (!usableConfig || !needsSignatures) return usableConfig
    const { serials: _, ...config } = (
      await checkSignatures(usableConfig, { trust, before: undefined, now: clock.now() })
    ).config
    return config.remotes.length > 0 ? config : undefined
  }

  return {
    async get(path, request) {
      if (path !== POINTER_ADDRESS) return await assets.get(path, request)
      const { text, file, etag } = await check(request)
      if (text === undefined) return file === undefined ? undefined : respondUnavailable()
      const headers = new Headers({
        'Content-Type': 'application/json',
        'Cache-Control': 'no-cache',
        ETag: etag,
      })
      return request.headers.get('if-none-match') === etag
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers })
    },
    ...(assets.encode && { encode: assets.encode }),
    remotesError: async () => (await check(new Request('http://localhost'))).problem,
  }
}

function toCheckedPointer(
  file: string | undefined,
  text: string | undefined,
  problem: string | undefined,
): CheckedPointer {
  const hash = createHash('sha256').update(text ?? '')
  return { file, text, problem, etag: `W/"${hash.digest('base64url').slice(0, 20)}"` }
}

function describeServed(validPointer: string | undefined, usablePointer: object | undefined): string {
  if (validPointer !== undefined) return 'the last good one'
  return usablePointer ? 'the entries that can be used' : 'nothing'
}

const respondUnavailable = () =>
  new Response(null, { status: 503, headers: { 'Cache-Control': 'no-store', 'Retry-After': '5' } })
