import type { Context, Hono } from 'hono'

/*
 * HEAD responds like GET, for mail scanners that check a link before a person opens it: it changes nothing.
 * Writes of a GET are skipped if `head` is set. Rate limits still count, or HEAD would reveal what they
 * protect.
 */

/**
 * Answers HEAD with the handler of GET. Servers drop the body themselves and derive its length; Hono would drop it before, and
 * Deno would then report 0 bytes.
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

/** Replaces a streamed body, whose length is unknown. */
export const emptyStream = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({ start: controller => controller.close() })
