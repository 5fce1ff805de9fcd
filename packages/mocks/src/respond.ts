import { getResponse, type HttpHandler } from 'msw'

/**
 * Patterns that are compiled once. Otherwise MSW would parse the address and the cookies of each request again for
 * every one of 400 handlers.
 */
const compiled = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const source = path.replace(/[.+?^$()[\]{}|\\]/g, '\\$&')
  const known =
    compiled.get(path) ?? new RegExp(`^${source.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}/?$`, 'i')
  compiled.set(path, known)
  return known
}

/** False only if MSW would certainly skip the handler. */
function mayAnswer({ info: { method, path } }: HttpHandler, request: Request, address: string): boolean {
  if (typeof method === 'string' && method !== request.method) return false
  return typeof path !== 'string' || patternOf(path).test(address)
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
