import type { RemoteModule, RemoteName, RemoteRoute } from '@portal/contract/remote'
import { asModule } from '@portal/router/component'
import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from 'react'
import { within } from './checks.ts'
import { loadModule } from './load.ts'

export interface Page extends RemoteRoute {
  readonly Component: LazyExoticComponent<ComponentType>
}

/** A remote as the shell sees it at one moment. */
export type RemoteState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Error }
  | { readonly status: 'ready'; readonly module: RemoteModule; readonly pages: readonly Page[] }

const loading: RemoteState = { status: 'loading' }
const states = new Map<RemoteName, RemoteState>()
const listeners = new Set<() => void>()

function put(name: RemoteName, state: RemoteState) {
  states.set(name, state)
  for (const listener of listeners) listener()
}

/** Tells whoever watches the page (logging, tests) that a remote is in trouble. */
export function reportRemoteError(name: RemoteName, error: Error): void {
  const detail = { name, message: error.message }
  console.error(`${name}:`, error)
  window.dispatchEvent(new CustomEvent('portal:remote-error', { detail }))
}

// lazy() remembers a rejection for good, so pages are made anew each time the remote is.
const pageOf = (name: RemoteName, route: RemoteRoute): Page => ({
  ...route,
  Component: lazy(() => within(`${name}: ${route.title}`, asModule(route.lazy()))),
})

async function start(name: RemoteName, again: boolean) {
  put(name, loading)
  try {
    const module = await loadModule(name, again)
    put(name, { status: 'ready', module, pages: module.routes.map(route => pageOf(name, route)) })
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    put(name, { status: 'failed', error })
    reportRemoteError(name, error)
  }
}

/** Begins to load a remote unless that has begun already. */
export function preload(name: RemoteName): void {
  if (!states.has(name)) void start(name, false)
}

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
    if (state) return state
    // Deferred: a store must not change while React reads it.
    queueMicrotask(() => preload(name))
    return loading
  })
}
