import { getResponse, type HttpHandler } from 'msw'

/**
 * Compiled patterns of paths, which filter the handlers. Otherwise, MSW would parse the URL and the cookies of each request
 * again for each of 400 handlers.
 */
const compiled = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const source = path.replace(/[.+?^$()[\]{}|\\]/g, '\\$&')
  const pattern =
    compiled.get(path) ?? new RegExp(`^${source.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}/?$`, 'i')
  compiled.set(path, pattern)
  return pattern
}

/** False only if MSW would certainly skip the handler for this request. */
function mayAnswer({ info: { method, path } }: HttpHandler, request: Request, url: string): boolean {
  if (typeof method === 'string' && method !== request.method) return false
  return typeof path !== 'string' || patternOf(path).test(url)
}

/** Answers a request with the first handler that returns a response, like MSW's `getResponse`; undefined if none does. */
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
