import type { Context, Hono } from 'hono'

/*
 * HEAD gets the same response as GET but must change nothing, because mail scanners use it to check a link before a person
 * opens it. GET handlers that write skip their writes if `isHead` is set. HEAD requests still count towards rate limits;
 * otherwise they would reveal what the limits protect.
 */

/**
 * Passes HEAD requests to the handler of GET. The servers derive the length from the body and then drop it. Hono would drop the
 * body earlier, and Deno would then report 0 bytes.
 */
export function serveHeadAsGet(app: Pick<Hono, 'fetch'>): void {
  const { fetch } = app
  app.fetch = (request, bindings, context) =>
    request.method === 'HEAD'
      ? fetch(
          new Request(request.url, { headers: request.headers }),
          { ...Object(bindings), head: true },
          context,
        )
      : fetch(request, bindings, context)
}

export const isHead = (c: Context): boolean => c.env?.head === true

/** Returns an empty stream, for the response to HEAD on a route that streams its body and so has no known length. */
export const emptyStream = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({ start: controller => controller.close() })
