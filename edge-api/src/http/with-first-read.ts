import type { Route } from '@portal/contract/route'
import { firstReadFor } from './first-read.ts'
import type { Call, Handler, HandlerResult } from './serve.ts'

/** The input of first reads, when only the ID of the account is known. */
export type FirstCall<R extends Route> = Pick<Call<R>, 'db' | 'ports' | 'params' | 'query' | 'body'> & {
  user: { id: string }
}

/** Combines a handler with its first reads, which must not change anything (`first-read.ts`). */
export const withFirstRead = <R extends Route, T>(
  read: (call: FirstCall<R>) => Promise<T>,
  handler: (call: Call<R>, found: T) => Promise<HandlerResult<R>>,
): Handler<R> =>
  Object.assign(
    // The cast is safe, because the reads that were begun for a call come from the same function.
    async (call: Call<R>) =>
      await handler(
        call,
        await ((firstReadFor(call) as Promise<T> | undefined) ?? read(call as FirstCall<R>)),
      ),
    { firstRead: read },
  ) as unknown as Handler<R>
