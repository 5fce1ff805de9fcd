import { createQueryClient } from '@portal/api/query'
import type { ErrorCode } from '@portal/contract/errors'
import type { Route } from '@portal/contract/route'
import { type PersonaName, personas } from '@portal/fixtures/personas'
import { createHandlers } from '@portal/mocks/handlers'
import { failing } from '@portal/mocks/serve'
import { beginSession } from '@portal/mocks/sessions'
import { createState, memoryStore } from '@portal/mocks/state'
import { MemoryRouter } from '@portal/router/memory'
import { signIn, signOut } from '@portal/session/store'
import { type FetchQueryOptions, QueryClientProvider } from '@tanstack/react-query'
import { getResponse, type HttpHandler } from 'msw'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

interface Options {
  /** Who is signed in; nobody unless given. */
  as?: PersonaName
  /** What the page reads first, as `q(…)` has it: it is drawn once these were answered. */
  reads?: readonly Pick<FetchQueryOptions, 'queryKey' | 'queryFn'>[]
  /** A call that fails, and with what. */
  fails?: readonly [call: Pick<Route, 'method' | 'path'>, code: ErrorCode]
}

const ORIGIN = 'http://mocks.test'

/** Lets the mocks answer while `work` runs. */
async function answeredBy<T>(handlers: readonly HttpHandler[], work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, ORIGIN), init)
    return (await getResponse([...handlers], request)) ?? Response.error()
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = fetch
  }
}

/**
 * A page as HTML, as it stands on the mocks when its first calls were answered: for unit tests, in milliseconds. What
 * happens on a click is for a browser to show.
 */
export async function shown(page: ReactElement, { as, reads = [], fails }: Options = {}): Promise<string> {
  const state = createState(new Date(), ORIGIN)
  const user = state.users.find(each => as && each.email === personas[as].email)
  if (user) signIn(beginSession(state, user, new Date()))
  const client = createQueryClient()
  // A call that failed is shown as failed, and not as one that is tried again.
  client.setDefaultOptions({ queries: { retry: false, retryOnMount: false } })
  const handlers = [...(fails ? [failing(...fails)] : []), ...createHandlers(memoryStore(state))]
  try {
    await answeredBy(handlers, () => Promise.all(reads.map(each => client.prefetchQuery(each))))
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
