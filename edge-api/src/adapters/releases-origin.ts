import type { RemotePointer } from '@portal/contract/remote'
import { getMimeType } from 'hono/utils/mime'
import { addBounded } from '../bounded-map.ts'
import { describeCause } from '../cause.ts'
import { POINTER_ADDRESS, parseAcceptedConfig } from '../front-ends/trust.ts'
import { acceptedEncodings, type Encoding } from '../http/accept-encoding.ts'
import type { Assets, Ports } from '../ports.ts'
import { cacheControlOf } from './assets-cache.ts'
import { isPublicFile } from './assets-public.ts'

/** How long a copy of the pointer is used before it is read again, in milliseconds. */
const MAX_AGE_MS = 10_000
/** How long to wait for a response from the origin, in milliseconds. */
const TIMEOUT_MS = 3000
/** Maximum number of cached files: enough for a few releases. The files of a release never change. */
const MAX_FILES = 400
/** Maximum size of a cached file, in bytes. */
const MAX_CACHED_BYTES = 1_000_000

const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

interface File {
  body: Uint8Array<ArrayBuffer>
  encoding: Encoding | undefined
}

/** Data of an origin that one process, or one isolate of a worker, has cached. */
export class OriginState {
  /** Text of the last valid pointer (`remotes.json`). */
  pointerText: string | undefined
  readAt = Number.NEGATIVE_INFINITY
  isFailing = false
  readonly files = new Map<string, File>()
}

interface OriginOptions extends Pick<Ports, 'clock' | 'log'> {
  /** Base URL of the folder that `npm run release -- --to` fills, without a trailing slash. */
  origin: string
  /** Requests a URL, with a signature if the storage is private. */
  fetch: (address: string, init: { signal: AbortSignal }) => Promise<Response>
  state: OriginState
  /** True to serve compressed copies; false on platforms that compress responses themselves. */
  servesCompressed: boolean
}

/**
 * Serves micro-frontends that teams release into object storage or any static origin, in addition to those deployed with the
 * portal. Entries of the origin's pointer (`remotes.json`) replace those of the same name in the deployed pointer. A copy of
 * the pointer is used for a few seconds, and while the origin fails, the last valid one. As with a local folder, the caller
 * checks who may release what.
 */
export function withReleasesOrigin(deployed: Assets, options: OriginOptions): Assets {
  const { origin, clock, log, state } = options
  const get = (path: string) =>
    options.fetch(`${origin}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })

  async function readPointer(): Promise<void> {
    try {
      const response = await get('remotes.json')
      // A 404 means that nothing has been released to the origin yet.
      if (response.status !== 404 && !response.ok) throw new Error(`HTTP ${response.status}`)
      const text = response.ok ? await response.text() : '{"remotes":[]}'
      if (!parseAcceptedConfig(text)) throw new Error('remotes.json is not a valid pointer')
      state.pointerText = text
      if (state.isFailing) log({ level: 'info', event: 'releases_origin_back' })
      state.isFailing = false
    } catch (cause) {
      if (!state.isFailing)
        log({ level: 'error', event: 'releases_origin_failed', cause: describeCause(cause) })
      state.isFailing = true
    }
  }

  /** Returns the origin's entries, or none if it could never be read. */
  async function readReleasedPointers(): Promise<readonly RemotePointer[]> {
    if (Math.abs(clock.now() - state.readAt) >= MAX_AGE_MS) {
      // During the read, other requests use the copy, because on Workers one request cannot wait for the I/O of another.
      if (state.pointerText !== undefined) state.readAt = clock.now()
      await readPointer()
      state.readAt = clock.now()
    }
    return parseAcceptedConfig(state.pointerText)?.remotes ?? []
  }

  async function servePointer(request: Request): Promise<Response | undefined> {
    const [response, entries] = await Promise.all([
      deployed.get(POINTER_ADDRESS, toUnconditionalRequest(request)),
      readReleasedPointers(),
    ])
    if (entries.length === 0) return response
    // If nothing was deployed with the portal, all entries come from the origin.
    const text =
      response?.status === 200 ? await response.text() : '{"revision":"origin","api":"/api","remotes":[]}'
    const deployedPointer = parseAcceptedConfig(text)
    // Returned as it is: the caller reports an invalid pointer.
    if (!deployedPointer) return new Response(text, { headers: { 'Content-Type': 'application/json' } })
    const names = new Set(entries.map(({ name }) => name))
    const remotes = [...deployedPointer.remotes.filter(({ name }) => !names.has(name)), ...entries]
    return Response.json({ ...deployedPointer, remotes }, { headers: { 'Cache-Control': 'no-cache' } })
  }

  async function fetchFile(path: string, encodings: readonly Encoding[]): Promise<File | undefined> {
    for (const encoding of [...encodings, undefined]) {
      const address = `${path}${encoding ? suffixes[encoding] : ''}`
      const cachedFile = state.files.get(address)
      if (cachedFile) return cachedFile
      const response = await get(address)
      if (response.status === 404 || response.status === 403) continue
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      const file = { body: new Uint8Array(await response.arrayBuffer()), encoding }
      if (file.body.length <= MAX_CACHED_BYTES) addBounded(state.files, address, file, MAX_FILES)
      return file
    }
    return undefined
  }

  return {
    ...deployed,
    async get(path, request) {
      if (path === POINTER_ADDRESS) return await servePointer(request)
      const found = await deployed.get(path, request)
      const name = path.startsWith('/r/') ? path.slice('/r/'.length) : ''
      if (found || !isPublicFile(name) || name === 'remotes.json') return found
      const accepted = options.servesCompressed
        ? acceptedEncodings(request.headers.get('accept-encoding'))
        : []
      const file = await fetchFile(name, accepted).catch((cause: unknown) => {
        log({ level: 'error', event: 'releases_origin_failed', file: path, cause: describeCause(cause) })
        return 'failed' as const
      })
      if (file === 'failed')
        return new Response(null, {
          status: 503,
          headers: { 'Cache-Control': 'no-store', 'Retry-After': '5' },
        })
      if (!file) return undefined
      return new Response(file.body, {
        headers: {
          'Content-Type': getMimeType(name) ?? 'application/octet-stream',
          'Cache-Control': cacheControlOf(path),
          ...(options.servesCompressed && { Vary: 'Accept-Encoding' }),
          ...(file.encoding && { 'Content-Encoding': file.encoding }),
        },
      })
    },
  }
}

/** Returns a request for the pointer without the conditional headers of `request`, because the body is needed. */
const toUnconditionalRequest = (request: Request) => new Request(new URL(POINTER_ADDRESS, request.url))
