import { createQueryClient } from '@portal/api/query'
import type { ErrorCode } from '@portal/contract/errors'
import type { Route } from '@portal/contract/route'
import { type PersonaName, personas } from '@portal/fixtures/personas'
import { demoState } from '@portal/mocks/demo-state'
import { createHandlers } from '@portal/mocks/handlers'
import { respond } from '@portal/mocks/respond'
import { failingHandler } from '@portal/mocks/serve'
import { beginSession } from '@portal/mocks/sessions'
import { memoryStore } from '@portal/mocks/state'
import { MemoryRouter } from '@portal/router/memory'
import { signIn, signOut } from '@portal/session/store'
import { type FetchQueryOptions, QueryClientProvider } from '@tanstack/react-query'
import type { HttpHandler } from 'msw'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

interface Options {
  /** The persona who is signed in; by default, no one. */
  as?: PersonaName
  /** The first queries of the page, as returned by `q(…)`; rendering waits for them. */
  reads?: readonly Pick<FetchQueryOptions, 'queryKey' | 'queryFn'>[]
  /** A call that should fail, and the error code. */
  fails?: readonly [call: Pick<Route, 'method' | 'path'>, code: ErrorCode]
}

const ORIGIN = 'http://mocks.test'

/** Answers API requests with the mocks while `work` runs. */
async function withMocks<T>(handlers: readonly HttpHandler[], work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, ORIGIN), init)
    return (await respond(handlers, request)) ?? Response.error()
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = fetch
  }
}

/** Renders a page to HTML once the mocks have answered its first queries, for fast unit tests without a browser. */
export async function renderPage(
  page: ReactElement,
  { as, reads = [], fails }: Options = {},
): Promise<string> {
  const state = demoState(new Date(), ORIGIN)
  const user = state.users.find(candidate => as && candidate.email === personas[as].email)
  if (user) signIn(beginSession(state, user, new Date()))
  const client = createQueryClient()
  // Show the error of a failed call immediately, without retries.
  client.setDefaultOptions({ queries: { retry: false, retryOnMount: false } })
  const handlers = [...(fails ? [failingHandler(...fails)] : []), ...createHandlers(memoryStore(state))]
  try {
    await withMocks(handlers, () => Promise.all(reads.map(item => client.prefetchQuery(item))))
    return renderToStaticMarkup(
      <MemoryRouter>
        <QueryClientProvider client={client}>{page}</QueryClientProvider>
      </MemoryRouter>,
    )
  } finally {
    client.clear()
    signOut()
  }
}
