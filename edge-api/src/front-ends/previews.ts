import { createHash } from 'node:crypto'
import type { PreviewPointer, RemotePointer } from '@portal/contract/remote'
import { parsePreviews } from '@portal/contract/remotes-config'
import { PREVIEW_COOKIE } from '@portal/contract/static-page'
import { signatureProblem, type Trust } from '@portal/contract/teams'
import { parse } from 'hono/utils/cookie'
import type { Assets, Ports } from '../ports.ts'
import { POINTER_ADDRESS, parseAcceptedConfig } from './trust.ts'

interface PreviewOptions extends Pick<Ports, 'clock' | 'log'> {
  /** The teams whose releases are served, with their keys. */
  trust: Trust
  /** Reads `previews.json`. */
  read: () => Promise<string | undefined>
}

const tokenOf = (request: Request) =>
  parse(request.headers.get('Cookie') ?? '', PREVIEW_COOKIE)[PREVIEW_COOKIE]

/** Converts a preview to an entry for browsers, without the link's token and the fields that only the server reads. */
function toLiveEntry({ preview: _, signed: __, signature: ___, ...entry }: PreviewPointer): RemotePointer {
  return entry
}

/**
 * Serves the pointer (`remotes.json`). Browsers that have opened a preview get a pointer with the preview's release, and all
 * others get the unchanged pointer. Like a release, a preview is valid only if its team signed it; unlike a
 * release, it expires.
 */
export function withPreviews(assets: Assets, { read, trust, clock, log }: PreviewOptions): Assets {
  let cached: { text: string | undefined; previews: Map<string, PreviewPointer> } | undefined
  const reportedProblems = new Set<string>()

  /** Returns the previews in the file that are signed and have not expired, by token. */
  async function readAccepted(): Promise<Map<string, PreviewPointer>> {
    const text = await read()
    if (cached && cached.text === text) return cached.previews
    const previews = new Map<string, PreviewPointer>()
    for (const entry of parsePreviews(text)) {
      const problem = await signatureProblem(trust, entry, clock.now())
      if (problem === undefined) previews.set(entry.preview.token, entry)
      else if (!reportedProblems.has(problem)) {
        reportedProblems.add(problem)
        log({ level: 'error', event: 'preview_refused', reason: problem })
      }
    }
    cached = { text, previews }
    return previews
  }

  async function preview(request: Request, token = tokenOf(request)): Promise<PreviewPointer | undefined> {
    if (!token) return undefined
    const found = (await readAccepted()).get(token)
    return found && found.preview.until > clock.now() ? found : undefined
  }

  return {
    ...assets,
    preview,
    async get(path, request) {
      const found = path === POINTER_ADDRESS ? await preview(request) : undefined
      if (!found) return await assets.get(path, request)
      const response = await assets.get(path, new Request(new URL(path, request.url)))
      const livePointer = response?.status === 200 ? parseAcceptedConfig(await response.text()) : undefined
      if (!livePointer) return response
      const entry = toLiveEntry(found)
      const otherRemotes = livePointer.remotes.filter(({ name }) => name !== entry.name)
      const text = JSON.stringify({ ...livePointer, remotes: [...otherRemotes, entry] })
      const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"`
      const headers = new Headers({
        'Content-Type': 'application/json',
        'Cache-Control': 'private, no-cache',
        Vary: 'Cookie',
        ETag: etag,
      })
      return request.headers.get('if-none-match') === etag
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers })
    },
  }
}
