import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { getMimeType } from 'hono/utils/mime'
import { acceptedEncodings, type Encoding } from '../http/accept-encoding.ts'
import type { Assets } from '../ports.ts'
import { cacheControlOf } from './assets-cache.ts'
import { isPublicFile } from './assets-public.ts'

const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

/** Brotli quality for pages. They change with the settings, so the highest quality would not pay off. */
const BROTLI_QUALITY = 9

const encode: NonNullable<Assets['encode']> = async (text, encoding) => {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  return new Uint8Array(
    encoding === 'br' ? await promisify(brotliCompress)(text, { params }) : await promisify(gzip)(text),
  )
}

/**
 * Serves built front ends from a folder as `scripts/build.mjs` creates it: `shell/`, one folder per remote and release,
 * and `remotes.json`, with a `.br` and a `.gz` copy of each text file. Other files of the folder are not served.
 */
export function fileAssets(folder: string): Assets {
  const root = path.resolve(folder)

  function locate(url: string): string | undefined {
    if (url === '/config/remotes.json') return path.join(root, 'remotes.json')
    let decoded: string
    try {
      decoded = decodeURIComponent(url.startsWith('/r/') ? url.slice(3) : `shell${url}`)
    } catch {
      return undefined
    }
    return decoded !== 'remotes.json' && isPublicFile(decoded) ? path.join(root, decoded) : undefined
  }

  return {
    encode,
    async get(url, request) {
      const file = locate(url)
      const info = file ? await stat(file).catch(() => undefined) : undefined
      if (!file || !info?.isFile()) return undefined
      const headers = new Headers({
        'Content-Type': getMimeType(file) ?? 'application/octet-stream',
        'Cache-Control': cacheControlOf(url),
        ETag: `W/"${info.size.toString(36)}-${Math.floor(info.mtimeMs).toString(36)}"`,
        Vary: 'Accept-Encoding',
      })
      if (request.headers.get('if-none-match') === headers.get('ETag')) {
        return new Response(null, { status: 304, headers })
      }
      for (const encoding of acceptedEncodings(request.headers.get('accept-encoding'))) {
        const body = await readFile(file + suffixes[encoding]).catch(() => undefined)
        if (!body) continue
        headers.set('Content-Encoding', encoding)
        return new Response(body, { headers })
      }
      return new Response(await readFile(file), { headers })
    },
  }
}
