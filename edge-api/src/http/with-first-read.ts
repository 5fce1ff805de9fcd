import type { Route } from '@portal/contract/route'
import { findStartedRead } from './first-read.ts'
import type { Call, Handler, HandlerResult } from './serve.ts'

/** The part of a call that first reads get: of the caller, only the account's ID is known by then. */
export type FirstCall<R extends Route> = Pick<Call<R>, 'db' | 'ports' | 'params' | 'query' | 'body'> & {
  user: { id: string }
}

/** Combines a handler with its first reads, which must not change anything (`first-read.ts`). */
export const withFirstRead = <R extends Route, T>(
  read: (call: FirstCall<R>) => Promise<T>,
  handler: (call: Call<R>, result: T) => Promise<HandlerResult<R>>,
): Handler<R> =>
  Object.assign(
    // The cast is safe, because the reads that were started early for a call used the same `read`.
    async (call: Call<R>) =>
      await handler(
        call,
        await ((findStartedRead(call) as Promise<T> | undefined) ?? read(call as FirstCall<R>)),
      ),
    { firstRead: read },
  ) as unknown as Handler<R>
