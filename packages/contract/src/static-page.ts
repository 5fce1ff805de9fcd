/*
 * Names and formats of static pages, shared by the server, the shell and the release commands
 * (docs/decisions/113-static-pages.md).
 */

/** ID of the element with the settings, as JSON, that a static page was filled with. */
export const SETTINGS_OF_PAGE = 'portal-settings'

/**
 * Cookie with a visitor's number from 0 to 100, which decides whether the visitor gets a canary of the landing page.
 */
export const PART_COOKIE = 'portal-part'
/** Cookie with the token of the preview that was opened in a browser. */
export const PREVIEW_COOKIE = 'portal-preview'

/**
 * Version of the elements between the shell's root and a page (packages/router/src/page-place.ts): a static
 * page that was rendered with another version is replaced rather than kept.
 */
export const PLACE = 1

/** `pages.json` of a release: its public pages as HTML, by path. */
export interface StaticPages {
  /** The value of `PLACE` when they were rendered. */
  readonly place: number
  readonly pages: Readonly<Record<string, StaticPage>>
}

export interface StaticPage {
  /** The style sheets that the page needs, by their paths in the release, with their hashes. */
  readonly styles: readonly { readonly file: string; readonly integrity: string }[]
  /**
   * Its HTML, with `{{names}}` in place of texts from the settings. Settings of different forms may need
   * different HTML.
   */
  readonly bodies: readonly string[]
  /** Index of the body for each form (`formOf` in packages/format). */
  readonly forms: Readonly<Record<string, number>>
}
