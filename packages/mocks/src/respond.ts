import { getResponse, type HttpHandler } from 'msw'

/**
 * Compiled path patterns. Without this filter, MSW would parse the URL and cookies of each request again for each of
 * 400 handlers.
 */
const compiled = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const source = path.replace(/[.+?^$()[\]{}|\\]/g, '\\$&')
  const pattern =
    compiled.get(path) ?? new RegExp(`^${source.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}/?$`, 'i')
  compiled.set(path, pattern)
  return pattern
}

/** False only if MSW would certainly skip the handler. */
function mayAnswer({ info: { method, path } }: HttpHandler, request: Request, url: string): boolean {
  if (typeof method === 'string' && method !== request.method) return false
  return typeof path !== 'string' || patternOf(path).test(url)
}

/** Answers a request with the first handler that responds, as MSW's `getResponse` does; undefined if none does. */
export async function respond(
  handlers: readonly HttpHandler[],
  request: Request,
): Promise<Response | undefined> {
  const { origin, pathname } = new URL(request.url)
  return await getResponse(
    handlers.filter(handler => mayAnswer(handler, request, origin + pathname)),
    request,
  )
}
