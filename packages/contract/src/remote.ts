import type { Fit } from './fit.ts'
import type { Role } from './shapes.ts'

/* The interface between the shell and a micro-frontend, whose `routes.tsx` exports `contract`, `routes` and
   `navigation`. Types only, so that neither side bundles the other's code. */

/** A function component; typed without React, because the contract depends on zod only. */
export type RemoteComponent<Props = object> = (props: Props) => unknown

/** Roles that can open a page or item. Only affects what is shown; the server enforces access. */
export type RemoteAccess = 'public' | readonly Role[]

export interface RemoteRoute {
  /** Relative to the remote's mount path, without a leading slash: `''`, `history`, `letters/:code`. */
  readonly path: string
  readonly access: RemoteAccess
  /** The navigation item to highlight, for a page without its own. */
  readonly tab?: string
  /** Page name for the document title and the header. */
  readonly title: string
  /** Loads the module whose default export is the page. */
  readonly lazy: () => Promise<{ default: RemoteComponent }>
}

/** A reply of the API that decides whether an item is shown. */
export interface NavOffer {
  /** Path of a GET route. The query cache shares the reply with the pages. */
  readonly path: `/${string}`
  readonly isOffered: (reply: unknown) => boolean
}

export interface NavItem {
  /** Path segment under `/dashboard`; one of the remote's routes. */
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
  /** Shown only if one of these replies allows it; always shown if omitted. */
  readonly offers?: readonly NavOffer[]
}

export interface RemoteModule {
  /** `CONTRACT` at build time; the shell refuses any other version. */
  readonly contract: number
  readonly routes: readonly RemoteRoute[]
  readonly navigation: readonly NavItem[]
}

/** The name of a micro-frontend, which is also the name of its folder. */
export type RemoteName = `mfe-${string}`

/** A dashboard area: the micro-frontend's pages below `/dashboard/<path>`, for these roles. */
export interface RemoteArea {
  readonly path: string
  readonly title: string
  readonly roles: readonly Role[]
}

/** Location of a release. In development only the manifest is set. */
export interface RemoteRelease {
  readonly release?: string
  readonly manifest: string
  /** SRI of the manifest and the entry; the entry pins its own chunks. */
  readonly integrity?: { readonly manifest: string; readonly entry: string }
  /** What the release requires of the shell. */
  readonly needs?: Fit
  /** The release's public pages as HTML (`StaticPages`), for the server. */
  readonly pages?: { readonly path: string; readonly integrity: string }
  /** Files of the release's first screen, for preloading. */
  readonly first?: readonly { readonly path: string; readonly integrity: string }[]
}

/** A canary release. */
export interface Canary extends RemoteRelease {
  readonly release: string
  /** Percentage, from 0 to 100, of accounts, or on the landing page of browsers. */
  readonly percent: number
  /** Additional accounts, as `canaryMark` pseudonyms because the file is public. */
  readonly accounts: readonly string[]
}

/** A micro-frontend in `/config/remotes.json`. */
export interface RemotePointer extends RemoteRelease {
  readonly name: string
  /** Absent for the landing page and the two dashboards, which are built into the shell. */
  readonly area?: RemoteArea
  readonly canary?: Canary
  /** ID of the team's key, and when it signed, as a Unix timestamp in milliseconds (`signed-entry.ts`). */
  readonly signed?: { readonly by: string; readonly at: number }
  readonly signature?: string
}

/**
 * A release only for browsers that have opened its link (`previews.json`). It is signed as a preview, so that it cannot be
 * made the live release.
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
