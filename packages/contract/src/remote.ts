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

/** The micro-frontends there are. */
export type RemoteName = 'mfe-public' | 'mfe-user' | 'mfe-admin'

/** `/config/remotes.json`: which release of each micro-frontend is live. */
export interface RemotesConfig {
  readonly revision: string
  readonly api: string
  readonly remotes: readonly {
    readonly name: string
    readonly manifest: string
    /** SRI of the manifest and of the entry; the entry pins its own chunks. Absent in development. */
    readonly integrity?: { readonly manifest: string; readonly entry: string }
    /** What its first screen needs, for those who want to fetch ahead. */
    readonly first?: readonly { readonly path: string; readonly integrity: string }[]
  }[]
}
