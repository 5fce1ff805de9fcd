/*
 * Names and formats of static pages, shared by the server, the shell and the release commands
 * (docs/decisions/113-static-pages.md).
 */

/** ID of the element that contains, as JSON, the settings with which a static page was filled. */
export const SETTINGS_OF_PAGE = 'portal-settings'

/** Cookie with a visitor's number from 0 to 100, which decides whether the visitor gets a canary of the landing page. */
export const VISITOR_NUMBER_COOKIE = 'portal-part'
/** Cookie with the token of the preview that the browser has opened. */
export const PREVIEW_COOKIE = 'portal-preview'

/**
 * Version of the elements that enclose a page in the shell (packages/router/src/page-place.ts). A static page that was rendered
 * with another version is replaced rather than kept.
 */
export const PLACE_VERSION = 1

/** `pages.json` of a release: its public pages as HTML, by path. */
export interface StaticPages {
  /** The value of `PLACE_VERSION` when the pages were rendered. */
  readonly place: number
  readonly pages: Readonly<Record<string, StaticPage>>
}

export interface StaticPage {
  /** The page's style sheets: their paths in the release, and their hashes. */
  readonly styles: readonly { readonly file: string; readonly integrity: string }[]
  /**
   * The page's HTML, with `{{names}}` in place of texts from the settings: one body for each variant of the
   * settings that needs its own.
   */
  readonly bodies: readonly string[]
  /** Index of the body for each variant of the settings (`variantOf` in packages/format). */
  readonly forms: Readonly<Record<string, number>>
}
