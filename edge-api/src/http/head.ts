import type { Context, Hono } from 'hono'

/*
 * HEAD gets the same response as GET but changes nothing, because mail scanners use it to check a link before a person
 * opens it. A GET handler that writes skips its writes if `head` is set. Rate limits still count, because otherwise
 * HEAD would reveal what they protect.
 */

/**
 * Answers HEAD with the handler of GET. The servers drop the body themselves after deriving its length. Hono would drop
 * it earlier, and Deno would then report 0 bytes.
 */
export function answerHead(app: Pick<Hono, 'fetch'>): void {
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

/** An empty stream that replaces a streamed body, whose length is unknown. */
export const emptyStream = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({ start: controller => controller.close() })
