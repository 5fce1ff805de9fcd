import { html } from 'hono/html'
import type { App } from './serve.ts'

/**
 * Path of the style sheet for the badges that the server adds to pages, and for the pages where overrides and previews are
 * started.
 */
export const BADGE_STYLE = '/badges.css'

/**
 * Uses the custom properties of the shell's style sheet. Badges float over the page, so that they do not shift its
 * content.
 */
const style = `.badges {
  position: fixed; inset: auto auto 0.75rem 50%; z-index: 60; translate: -50%; width: max-content; max-width: calc(100vw - 1.5rem);
  display: flex; flex-direction: column; gap: 0.5rem; font: 0.875rem/1.4 var(--font-sans, system-ui, sans-serif);
}
.badges aside {
  box-sizing: border-box; display: flex; flex-wrap: wrap; justify-content: center; gap: 0.25rem 1rem; padding: 0.5rem 1rem;
  border: 1px solid var(--warning-line); border-radius: 1.25rem; box-shadow: var(--elevation);
  background: var(--warning-wash); color: var(--warning);
}
.badges a { color: inherit; font-weight: 600; }
.badges strong { overflow-wrap: anywhere; }
.badges small { font-size: inherit; }
body:has(> .badge-page) { color-scheme: light dark; font: 1rem/1.55 var(--font-sans, system-ui, sans-serif); }
.badge-page { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; }
.badge-page h1 { font: 600 2rem/1.2 var(--font-serif, Georgia, serif); }
.badge-page :is(h1, p) { margin: 0 0 1rem; }
.badge-page form { display: grid; gap: 0.25rem; justify-items: start; }
.badge-page :is(select, input, button) { box-sizing: border-box; min-height: 2.75rem; padding: 0 0.75rem; font: inherit; }
.badge-page :is(select, input) { width: 100%; margin-bottom: 0.75rem; border: 1px solid var(--line-strong, GrayText); border-radius: 0.375rem; background: var(--surface, Field); color: inherit; }
.badge-page button { border: 0; border-radius: 0.375rem; background: var(--brand-solid, ButtonFace); color: var(--on-brand, ButtonText); font-weight: 600; cursor: pointer; }
.badge-page [role=alert] { margin-top: 0.75rem; color: var(--danger, inherit); }
@media (max-width: 30rem) {
  .badges { width: calc(100vw - 1.5rem); gap: 0.25rem; font-size: 0.8125rem; }
  .badges aside { flex-wrap: nowrap; align-items: center; justify-content: space-between; padding: 0.125rem 0.75rem; border-radius: 0.5rem; }
  .badges span { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .badges small { display: none; }
  .badges a { flex: none; padding-block: 0.25rem; }
}
@media print { .badges { display: none; } }
`

export function serveBadgeStyle(app: App): void {
  app.get(BADGE_STYLE, c =>
    c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }),
  )
}

type Html = ReturnType<typeof html>

/**
 * Returns a badge: a notice on every page of a browser that gets different front ends from everyone else, with a link to end
 * this.
 */
export const badge = ({
  label,
  text,
  leaveLink,
}: {
  label: string
  text: Html
  leaveLink: { path: string; text: string }
}): Html =>
  html`<aside aria-label="${label}"><span>${text}</span><a href="${leaveLink.path}">${leaveLink.text}</a></aside>`

/** Adds badges to a page. */
export function withBadges(page: string, badges: readonly Html[]): string {
  const badgeList = `${html`<div class="badges">${badges}</div>`}`
  return page
    .replace('</head>', () => `<link rel="stylesheet" href="${BADGE_STYLE}"></head>`)
    .replace('<body>', () => `<body>${badgeList}`)
}
