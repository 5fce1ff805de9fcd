// Imported by package name, not by path, so that the bundler uses the shell's shared copies; otherwise `instanceof` would not
// work on errors.
import { send } from '@portal/api/call'
import { isClientError } from '@portal/api/error'
import type { Reply, Route } from '@portal/contract/route'
import { QueryClient, type QueryOptions, queryOptions } from '@tanstack/react-query'
import type { Callable } from './endpoint.ts'
import type { CallInput, Input } from './request.ts'

type Arguments<R extends Route> = object extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>]

/** Returns the query key of a call. Without `input`, the key matches every call of the route, for example to invalidate them. */
export function queryKey(route: Pick<Route, 'path'>): readonly unknown[]
export function queryKey<R extends Route>(
  route: Callable<R>,
  input: Partial<CallInput<R>>,
): readonly unknown[]
export function queryKey(route: Pick<Route, 'path'>, input?: Input): readonly unknown[] {
  return input ? [route.path, { params: input.params, query: input.query }] : [route.path]
}

/** Returns options for `useQuery`: `useQuery(q(verification.history, { query: { page } }))`. */
export function q<R extends Route>(route: Callable<R>, ...[input]: Arguments<R>) {
  return queryOptions<Reply<R>>({
    queryKey: queryKey(route, input ?? {}),
    queryFn: ({ signal }) => send(route, { ...input, signal }),
  })
}

const RETRIES = 2

/**
 * Keeps a query's error while the user retries; TanStack Query would clear it immediately. The message and its button stay on the
 * screen and keep the focus, and `isFetching` shows that the query is running.
 */
const keepError: NonNullable<QueryOptions['behavior']> = {
  onFetch({ fetchOptions }, query) {
    const { error, data } = query.state
    if (error && !data && fetchOptions?.cancelRefetch)
      queueMicrotask(() => query.setState({ status: 'error', error }))
  },
}

/**
 * Creates the query cache. A 4xx is final; other failures are retried with the library's delays: after 1 s, and once more after
 * another 2 s.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        behavior: keepError,
        staleTime: 30_000,
        retry: (failures, error) => failures < RETRIES && !isClientError(error),
      },
    },
  })
}
