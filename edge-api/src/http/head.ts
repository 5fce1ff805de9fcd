import type { Context, Hono } from 'hono'

/*
 * HEAD asks what GET would answer, of itself or by whoever looks a link over before a person does: it changes nothing.
 * What a GET writes is left out where `head` is set. Limits count all the same, or HEAD would tell what GET is slowed for.
 */

/**
 * Has HEAD answered by what answers GET. Servers leave the body out of themselves and know its length by it; Hono would
 * drop it before, and Deno then says that there are 0 bytes.
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

/** In place of a body that is made as it is read: of no length that could be told. */
export const unmade = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({ start: controller => controller.close() })
