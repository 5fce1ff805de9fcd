// By the package's name, not by path: only so is it the shell's one copy, whose errors `instanceof` knows everywhere.
import { send } from '@portal/api/call'
import { isClientError } from '@portal/api/error'
import type { Reply, Route } from '@portal/contract/route'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import type { Callable } from './endpoint.ts'
import type { CallInput, Input } from './request.ts'

type Arguments<R extends Route> = object extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>]

/** The cache key of a call: `[path]` alone matches every call of the route, whatever its input. */
export function queryKey(route: Pick<Route, 'path'>): readonly unknown[]
export function queryKey<R extends Route>(
  route: Callable<R>,
  input: Partial<CallInput<R>>,
): readonly unknown[]
export function queryKey(route: Pick<Route, 'path'>, input?: Input): readonly unknown[] {
  return input ? [route.path, { params: input.params, query: input.query }] : [route.path]
}

/** Options for `useQuery`: `useQuery(q(verification.history, { query: { page } }))`. */
export function q<R extends Route>(route: Callable<R>, ...[input]: Arguments<R>) {
  return queryOptions<Reply<R>>({
    queryKey: queryKey(route, input ?? {}),
    queryFn: ({ signal }) => send(route, { ...input, signal }),
  })
}

const RETRIES = 2

/** The cache of the whole portal. A 4xx is final; anything else is tried again, 1 s apart and doubling up to 10 s. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < RETRIES && !isClientError(error),
        retryDelay: failures => Math.min(1000 * 2 ** failures, 10_000),
      },
      mutations: { retry: false },
    },
  })
}
