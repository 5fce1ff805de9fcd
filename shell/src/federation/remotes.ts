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

/** A snapshot of a remote's state for the shell. */
export type RemoteState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Error }
  | {
      readonly status: 'ready'
      readonly module: RemoteModule
      readonly pages: readonly Page[]
      /** The address at which a failure did not remove the page, such as a click without effect. */
      readonly troubleAt?: string
    }

const loading: RemoteState = { status: 'loading' }
const states = new Map<RemoteName, RemoteState>()
/** The account that each remote was loaded for: another account may get another release. */
const owners = new Map<RemoteName, string | undefined>()
const listeners = new Set<() => void>()

/** Returns the state of a remote without starting to load it. */
export const stateOf = (name: RemoteName): RemoteState | undefined => states.get(name)

function setState(name: RemoteName, state: RemoteState) {
  states.set(name, state)
  for (const listener of listeners) listener()
}

/** The account that a remote is loaded for; the landing page is the same for everyone. */
const ownerOf = (name: RemoteName) => (name === 'mfe-public' ? undefined : session.get().user?.id)

/** Errors that occurred while a page was loading, not while it was rendering. */
const whileLoading = new WeakSet<Error>()

/**
 * Loaded with the first failure, because most pages never need it. A rejection is ignored: without a connection no
 * report arrives anyway, and reporting the rejection would never end.
 */
const reporting = (use: (report: typeof import('./report.ts')) => void) =>
  import(/* webpackChunkName: "later" */ './report.ts').then(use, () => undefined)

/** Reports to the console and to the server's log that a remote, or the shell itself, has failed. */
export function reportRemoteError(
  remote: RemoteName | 'shell',
  error: Error,
  stage: FailureStage = whileLoading.has(error) ? 'loading' : 'rendering',
): void {
  console.error(`${remote}:`, error)
  const release = loadedRelease(remote)
  void reporting(({ reportToServer }) => reportToServer({ remote, release, stage }, error))
}

// A failed page stays failed, so each load of the remote creates new pages.
const pageOf = (name: RemoteName, route: RemoteRoute): Page => ({
  ...route,
  Component: loadingComponent(() =>
    withTimeout(`${name}: ${route.title}`, asModule(route.lazy())).catch((cause: unknown) => {
      const error = asError(cause)
      whileLoading.add(error)
      throw error
    }),
  ),
})

async function start(name: RemoteName, again: boolean) {
  const owner = ownerOf(name)
  owners.set(name, owner)
  setState(name, loading)
  try {
    const module = await loadModule(name, again)
    if (owners.get(name) !== owner) return
    setState(name, { status: 'ready', module, pages: module.routes.map(route => pageOf(name, route)) })
  } catch (cause) {
    const error = asError(cause)
    if (owners.get(name) !== owner) return
    setState(name, { status: 'failed', error })
    reportRemoteError(name, error, error instanceof IncompatibleRemote ? 'incompatible' : 'loading')
  }
}

const isLoaded = (name: RemoteName) => states.has(name) && owners.get(name) === ownerOf(name)

/** Starts loading a remote unless that has already started. */
export function preload(name: RemoteName): void {
  if (!isLoaded(name)) void start(name, false)
}

/** Reports errors that a remote throws outside rendering, for example on a click, after which React keeps the page. */
function reportEventError(cause: unknown) {
  if (!(cause instanceof Error) || cause.name === 'AbortError') return
  void reporting(({ originOf, reportToServer }) => {
    const origin = originOf(cause)
    for (const [name, state] of states) {
      if (name !== origin?.remote || state.status !== 'ready') continue
      setState(name, { ...state, troubleAt: location.pathname })
      reportToServer({ ...origin, stage: 'event' }, cause)
    }
  })
}
globalThis.addEventListener?.('error', event => reportEventError(event.error))
globalThis.addEventListener?.('unhandledrejection', event => reportEventError(event.reason))

/** Loads a remote from scratch: remotes.json, manifest, entry and pages. */
export function reload(name: RemoteName): void {
  void start(name, true)
}

/** Calls `listener` when the state of any remote changes. */
export function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the state of a remote, and loads it if it is not loaded yet. */
export function useRemote(name: RemoteName): RemoteState {
  const getState = () => {
    const state = states.get(name)
    if (state && isLoaded(name)) return state
    // Deferred: a store must not change while React reads it.
    queueMicrotask(() => preload(name))
    return loading
  }
  return useSyncExternalStore(subscribe, getState, getState)
}
