import { html } from 'hono/html'
import type { Override } from '../ports.ts'
import { badge } from './badges.ts'

export const END_OVERRIDE = '/overrides/end'

/** Returns the badge that shows, on every page, which micro-frontend is overridden. */
export const overrideBadge = ({ name, origin }: Override) =>
  badge({
    label: 'Override',
    text: html`<strong>${name}</strong> comes from ${origin}<small>, in this browser only</small>`,
    leaveLink: { path: END_OVERRIDE, text: 'End the override' },
  })

/**
 * Changes a page so that the shell accepts an entry without hashes and loads React's development build from the developer's
 * server before anything else. Only that build supports hot reload, and there must not be two copies of React.
 */
export function withDeveloperCode(page: string, { name, origin }: Override): string {
  const script = `${html`<script defer src="${origin}/development-react.js" crossorigin="anonymous"></script>`}`
  return page
    .replace('<html', () => `${html`<html data-override="${name}"`}`)
    .replace('<head>', () => `<head>${script}`)
}
