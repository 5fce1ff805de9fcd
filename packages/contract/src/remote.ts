import type { Compatibility } from './compatibility.ts'
import type { Role } from './shapes.ts'

/*
 * The interface between the shell and a micro-frontend, whose `routes.tsx` exports `contract`, `routes` and `navigation`. It
 * consists of types only, so that neither side bundles the other's code.
 */

/** A function component. The type does not mention React, because the contract depends only on zod. */
export type RemoteComponent<Props = object> = (props: Props) => unknown

/** Who can open a page or see an item. This only decides what is shown; the server enforces access. */
export type RemoteAccess = 'public' | readonly Role[]

export interface RemoteRoute {
  /** Path relative to the remote's mount path, without a leading slash: `''`, `history`, `letters/:code`. */
  readonly path: string
  readonly access: RemoteAccess
  /** The navigation item to highlight for a page that has no item of its own. */
  readonly tab?: string
  /** Name of the page, for the document title and the header. */
  readonly title: string
  /** Loads the module whose default export is the page. */
  readonly lazy: () => Promise<{ default: RemoteComponent }>
}

/** An API request whose reply decides whether an item is shown. */
export interface NavOffer {
  /** Path of a GET route. The pages use the same entry of the query cache. */
  readonly path: `/${string}`
  readonly isOffered: (reply: unknown) => boolean
}

export interface NavItem {
  /** Path segment after `/dashboard`, for one of the remote's routes. */
  readonly tab: string
  readonly label: string
  /** A lucide icon. */
  readonly icon: RemoteComponent<{
    width?: string
    height?: string
    strokeWidth?: number
    'aria-hidden'?: boolean
  }>
  readonly access: RemoteAccess
  /** The item is shown if one of these offers it; if omitted, it is always shown. */
  readonly offers?: readonly NavOffer[]
}

export interface RemoteModule {
  /** `CONTRACT` at build time; the shell refuses other versions. */
  readonly contract: number
  readonly routes: readonly RemoteRoute[]
  readonly navigation: readonly NavItem[]
}

/** The name of a micro-frontend, which is also the name of its folder. */
export type RemoteName = `mfe-${string}`

/** A dashboard area: a micro-frontend's pages below `/dashboard/<path>`, for these roles. */
export interface RemoteArea {
  readonly path: string
  readonly title: string
  readonly roles: readonly Role[]
}

/** Location of a release. In development, only the manifest is set. */
export interface RemoteRelease {
  readonly release?: string
  readonly manifest: string
  /** Subresource integrity (SRI) of the manifest and the entry; the entry contains the integrity of its own chunks. */
  readonly integrity?: { readonly manifest: string; readonly entry: string }
  /** What the release requires of the shell. */
  readonly needs?: Compatibility
  /** The release's public pages as HTML (`StaticPages`), which the server uses. */
  readonly pages?: { readonly path: string; readonly integrity: string }
  /** Files that the first screen of the release needs, for preloading. */
  readonly first?: readonly { readonly path: string; readonly integrity: string }[]
}

/** A canary release. */
export interface Canary extends RemoteRelease {
  readonly release: string
  /** Percentage, from 0 to 100, of accounts, or, for the landing page, of browsers. */
  readonly percent: number
  /** Further accounts that get the canary, by their `canaryMark`, because the file is public. */
  readonly accounts: readonly string[]
}

/** A micro-frontend in `/config/remotes.json`. */
export interface RemotePointer extends RemoteRelease {
  readonly name: string
  /** Absent for the landing page and the two dashboards, whose areas are built into the shell. */
  readonly area?: RemoteArea
  readonly canary?: Canary
  /** ID of the team's key, and the time of signing as a Unix timestamp in milliseconds (`signed-entry.ts`). */
  readonly signed?: { readonly by: string; readonly at: number }
  readonly signature?: string
}

/**
 * A release that only browsers that have opened its link get (`previews.json`). It is signed as a preview, so it cannot be made
 * the live release.
 */
export interface PreviewPointer extends RemotePointer {
  readonly preview: {
    /** The name of the branch. */
    readonly name: string
    /** The token in the link. */
    readonly token: string
    /** When the preview ends, as a Unix timestamp in milliseconds. */
    readonly until: number
  }
}

/** `/config/remotes.json`: the live release of each micro-frontend. */
export interface RemotesConfig {
  readonly revision: string
  readonly api: string
  readonly remotes: readonly RemotePointer[]
}
