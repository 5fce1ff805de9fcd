import type { FailureStage } from '@portal/contract/front-ends'
import type { RemoteModule, RemoteName, RemoteRoute } from '@portal/contract/remote'
import { asModule } from '@portal/router/component'
import { session } from '@portal/session/store'
import { useSyncExternalStore } from 'react'
import { asError, IncompatibleRemote, withTimeout } from './checks.ts'
import { loadedRelease, loadModule } from './load.ts'
import { type LoadingComponent, loadingComponent } from './loading-component.tsx'

export interface Page extends RemoteRoute {
  readonly Component: LoadingComponent
}

/** A snapshot of a remote's state, for the shell. */
export type RemoteState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Error }
  | {
      readonly status: 'ready'
      readonly module: RemoteModule
      readonly pages: readonly Page[]
      /** The path at which an error occurred that did not remove the page, such as an error in an event handler. */
      readonly problemPath?: string
    }

const loadingState: RemoteState = { status: 'loading' }
const states = new Map<RemoteName, RemoteState>()
/** The ID of the account for which each remote was loaded: another account may get another release. */
const accountIds = new Map<RemoteName, string | undefined>()
const listeners = new Set<() => void>()

/** Returns the state of a remote without starting to load it. */
export const stateOf = (name: RemoteName): RemoteState | undefined => states.get(name)

function setState(name: RemoteName, state: RemoteState) {
  states.set(name, state)
  for (const listener of listeners) listener()
}

/** Returns the ID of the account for which a remote is loaded; the landing page is the same for everyone. */
const accountIdFor = (name: RemoteName) => (name === 'mfe-public' ? undefined : session.get().user?.id)

/** Errors that occurred while a page was loading, as opposed to rendering. */
const loadErrors = new WeakSet<Error>()

/**
 * Calls `use` with the reporting module, which is loaded at the first failure, because most pages never need it. A rejection is
 * ignored: without a connection no report would arrive anyway, and reporting the rejection could loop forever.
 */
const withReporting = (use: (report: typeof import('./report.ts')) => void) =>
  import(/* webpackChunkName: "later" */ './report.ts').then(use, () => undefined)

/** Reports to the console and to the server's log that a remote, or the shell itself, has failed. */
export function reportRemoteError(
  remote: RemoteName | 'shell',
  error: Error,
  stage: FailureStage = loadErrors.has(error) ? 'loading' : 'rendering',
): void {
  console.error(`${remote}:`, error)
  const release = loadedRelease(remote)
  void withReporting(({ reportToServer }) => reportToServer({ remote, release, stage }, error))
}

// Returns a page for a route. A failed page stays failed, so each load of the remote creates new pages.
const toPage = (name: RemoteName, route: RemoteRoute): Page => ({
  ...route,
  Component: loadingComponent(() =>
    withTimeout(`${name}: ${route.title}`, asModule(route.lazy())).catch((cause: unknown) => {
      const error = asError(cause)
      loadErrors.add(error)
      throw error
    }),
  ),
})

async function startLoading(name: RemoteName, isRetry: boolean) {
  const accountId = accountIdFor(name)
  accountIds.set(name, accountId)
  setState(name, loadingState)
  try {
    const module = await loadModule(name, isRetry)
    if (accountIds.get(name) !== accountId) return
    setState(name, { status: 'ready', module, pages: module.routes.map(route => toPage(name, route)) })
  } catch (cause) {
    const error = asError(cause)
    if (accountIds.get(name) !== accountId) return
    setState(name, { status: 'failed', error })
    reportRemoteError(name, error, error instanceof IncompatibleRemote ? 'incompatible' : 'loading')
  }
}

/** True if a remote has started to load for the current account; its load may have ended or failed. */
const isLoadStarted = (name: RemoteName) => states.has(name) && accountIds.get(name) === accountIdFor(name)

/** Starts loading a remote unless that has already started. */
export function preload(name: RemoteName): void {
  if (!isLoadStarted(name)) void startLoading(name, false)
}

/** Reports errors that a remote throws outside rendering, for example on a click. React does not remove the page after them. */
function reportEventError(cause: unknown) {
  if (!(cause instanceof Error) || cause.name === 'AbortError') return
  void withReporting(({ originOf, reportToServer }) => {
    const origin = originOf(cause)
    for (const [name, state] of states) {
      if (name !== origin?.remote || state.status !== 'ready') continue
      setState(name, { ...state, problemPath: location.pathname })
      reportToServer({ ...origin, stage: 'event' }, cause)
    }
  })
}
globalThis.addEventListener?.('error', event => reportEventError(event.error))
globalThis.addEventListener?.('unhandledrejection', event => reportEventError(event.reason))

/** Loads a remote again from the start: remotes.json, manifest, entry and pages. */
export function reload(name: RemoteName): void {
  void startLoading(name, true)
}

/** Calls `listener` when the state of any remote changes. */
export function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the state of a remote, and starts loading it unless that has already started. */
export function useRemote(name: RemoteName): RemoteState {
  const getState = () => {
    const state = states.get(name)
    if (state && isLoadStarted(name)) return state
    // Deferred, because a store must not change while React reads it.
    queueMicrotask(() => preload(name))
    return loadingState
  }
  return useSyncExternalStore(subscribe, getState, getState)
}
