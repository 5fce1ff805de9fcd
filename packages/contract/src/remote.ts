import type { Fit } from './fit.ts'
import type { Role } from './shapes.ts'

/*
 * What the shell and a micro-frontend agree on: `routes.tsx` of each exports `contract`, `routes` and `navigation`.
 * Only types, so that neither side carries the other's code.
 */

/** A function component, without naming the library that draws it: the contract imports zod alone. */
export type Part<Props = object> = (props: Props) => unknown

/** Roles that may open something; convenience for the eye, the server's `access` is what protects. */
export type RemoteAccess = 'public' | readonly Role[]

export interface RemoteRoute {
  /** Relative to where the remote is mounted, without a leading slash: `''`, `history`, `letters/:code`. */
  readonly path: string
  readonly access: RemoteAccess
  /** The navigation's item that a page without one of its own belongs to. */
  readonly tab?: string
  /** The page's name, for the document title and the header. */
  readonly title: string
  /** The page as the default export of its module. */
  readonly lazy: () => Promise<{ default: Part }>
}

export interface NavItem {
  /** The path segment under `/dashboard`, one of the remote's routes. */
  readonly tab: string
  readonly label: string
  /** A lucide icon. */
  readonly icon: Part<{
    width?: string
    height?: string
    strokeWidth?: number
    'aria-hidden'?: boolean
  }>
  readonly access: RemoteAccess
}

export interface RemoteModule {
  /** `CONTRACT` as it was when the remote was built; the shell refuses another one. */
  readonly contract: number
  readonly routes: readonly RemoteRoute[]
  readonly navigation: readonly NavItem[]
}

/** A micro-frontend is called as its folder is. */
export type RemoteName = `mfe-${string}`

/** Where a micro-frontend adds a part of its own to the dashboard of these roles: below `/dashboard/<path>`. */
export interface RemoteArea {
  readonly path: string
  readonly title: string
  readonly roles: readonly Role[]
}

/** Where a release is. Everything but the manifest is absent in development. */
export interface RemoteRelease {
  readonly release?: string
  readonly manifest: string
  /** SRI of the manifest and of the entry; the entry pins its own chunks. */
  readonly integrity?: { readonly manifest: string; readonly entry: string }
  /** What it asks of the shell. */
  readonly needs?: Fit
  /** What its first screen needs, for those who want to fetch ahead. */
  readonly first?: readonly { readonly path: string; readonly integrity: string }[]
}

/** A release that some are given before the others. */
export interface Canary extends RemoteRelease {
  readonly release: string
  /** Of accounts, or on the landing page of browsers, from 0 to 100. */
  readonly percent: number
  /** Accounts that have it besides, as `canaryMark` writes them: the file is public. */
  readonly accounts: readonly string[]
}

/** A micro-frontend in `/config/remotes.json`. */
export interface RemotePointer extends RemoteRelease {
  readonly name: string
  /** Absent of the landing page and the two dashboards, which the shell knows itself. */
  readonly area?: RemoteArea
  readonly canary?: Canary
}

/** `/config/remotes.json`: which release of each micro-frontend is live. */
export interface RemotesConfig {
  readonly revision: string
  readonly api: string
  readonly remotes: readonly RemotePointer[]
}
