import type { FailureStage } from '@portal/contract/front-ends'
import type { RemoteModule, RemoteName, RemoteRoute } from '@portal/contract/remote'
import { asModule } from '@portal/router/component'
import { session } from '@portal/session/store'
import { type ComponentType, useSyncExternalStore } from 'react'
import { asError, IncompatibleRemote, within } from './checks.ts'
import { loadedRelease, loadModule } from './load.ts'
import { arriving } from './loading-component.tsx'

export interface Page extends RemoteRoute {
  readonly Component: ComponentType
}

/** A remote as the shell sees it at one moment. */
export type RemoteState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Error }
  | {
      readonly status: 'ready'
      readonly module: RemoteModule
      readonly pages: readonly Page[]
      /** The address at which something of it failed that took no page down: a click that did nothing, say. */
      readonly troubleAt?: string
    }

const loading: RemoteState = { status: 'loading' }
const states = new Map<RemoteName, RemoteState>()
/** The account that each was loaded for: another one may be given another release. */
const owners = new Map<RemoteName, string | undefined>()
const listeners = new Set<() => void>()

function put(name: RemoteName, state: RemoteState) {
  states.set(name, state)
  for (const listener of listeners) listener()
}

/** Who a remote is loaded for; the landing page is the same for everyone. */
const ownerOf = (name: RemoteName) => (name === 'mfe-public' ? undefined : session.get().user?.id)

/** Errors that came while a page was on its way, not while it was drawn. */
const whileLoading = new WeakSet<Error>()

/**
 * Comes with the first failure: most pages never need it. Without a connection no report arrives anyway, and a rejection
 * here would be reported in turn, for ever.
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
  void reporting(({ tellServer }) => tellServer({ remote, release, stage }, error))
}

// A page that failed stays failed, so each load of the remote makes new pages.
const pageOf = (name: RemoteName, route: RemoteRoute): Page => ({
  ...route,
  Component: arriving(() =>
    within(`${name}: ${route.title}`, asModule(route.lazy())).catch((cause: unknown) => {
      const error = asError(cause)
      whileLoading.add(error)
      throw error
    }),
  ),
})

async function start(name: RemoteName, again: boolean) {
  const owner = ownerOf(name)
  owners.set(name, owner)
  put(name, loading)
  try {
    const module = await loadModule(name, again)
    if (owners.get(name) !== owner) return
    put(name, { status: 'ready', module, pages: module.routes.map(route => pageOf(name, route)) })
  } catch (cause) {
    const error = asError(cause)
    if (owners.get(name) !== owner) return
    put(name, { status: 'failed', error })
    reportRemoteError(name, error, error instanceof IncompatibleRemote ? 'incompatible' : 'loading')
  }
}

const isLoaded = (name: RemoteName) => states.has(name) && owners.get(name) === ownerOf(name)

/** Begins to load a remote unless that has begun already. */
export function preload(name: RemoteName): void {
  if (!isLoaded(name)) void start(name, false)
}

/** What a remote's own code throws outside of drawing: React keeps the page, and somebody's click did nothing. */
function noteTrouble(cause: unknown) {
  if (!(cause instanceof Error) || cause.name === 'AbortError') return
  void reporting(({ originOf, tellServer }) => {
    const origin = originOf(cause)
    for (const [name, state] of states) {
      if (name !== origin?.remote || state.status !== 'ready') continue
      put(name, { ...state, troubleAt: location.pathname })
      tellServer({ ...origin, stage: 'event' }, cause)
    }
  })
}
globalThis.addEventListener?.('error', event => noteTrouble(event.error))
globalThis.addEventListener?.('unhandledrejection', event => noteTrouble(event.reason))

/** Loads a remote from scratch: remotes.json, manifest, entry and pages. */
export function reload(name: RemoteName): void {
  void start(name, true)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The state of a remote; asking for it begins the loading. */
export function useRemote(name: RemoteName): RemoteState {
  return useSyncExternalStore(subscribe, () => {
    const state = states.get(name)
    if (state && isLoaded(name)) return state
    // Deferred: a store must not change while React reads it.
    queueMicrotask(() => preload(name))
    return loading
  })
}
