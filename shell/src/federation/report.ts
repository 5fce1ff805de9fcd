import { endpoint } from '@portal/api/endpoint'
import type { FrontEndReport, frontEnds } from '@portal/contract/front-ends'
import { isOverridden } from './config.ts'

const route = endpoint<typeof frontEnds.report>('POST', '/front-ends/reports')

/** Maximum number of reports per page, because more of them add nothing new. */
const MAX_REPORTS = 10
/** Number of stack frames that are reported, the innermost first. */
const MAX_FRAMES = 5

const sentReports = new Set<string>()

/**
 * Returns the files and positions in an error's stack, without origins and queries. For a chunk that could not be loaded,
 * returns its file.
 */
export function framesOf(error: Error & { request?: unknown }): string[] {
  const text = `${error.request ?? ''}\n${error.stack ?? ''}`
  const found = text.matchAll(/https?:\/\/[^/\s]+(\/[\w./-]+\.(?:js|css))(?:\?[^\s:)]*)?(:\d+:\d+)?/g)
  return Array.from(found, ([, file = '', position = '']) => file + position).slice(0, MAX_FRAMES)
}

/** Finds the release that caused an error from the error's stack: a release's code is in its own folder. */
export function originOf(error: Error): { remote: string; release: string } | undefined {
  const [, remote, release] = /^\/r\/([\w-]+)\/([\w.-]+)\//m.exec(framesOf(error).join('\n')) ?? []
  return remote && release ? { remote, release } : undefined
}

/**
 * Reports to the server's log that a remote has failed: which release, at which stage, and where in its code. Omits the error's
 * message, which may contain user input, and the session, so that the report identifies no one.
 */
export function reportToServer(report: Omit<FrontEndReport, 'error' | 'frames'>, error: Error): void {
  // In development, shows the error in the overlay (packages/standalone).
  if (process.env.NODE_ENV !== 'production')
    globalThis.dispatchEvent?.(new CustomEvent('portal-error', { detail: error }))
  // An error in a developer's own code is not a failure of the portal.
  if (isOverridden(report.remote)) return
  const body = JSON.stringify({ ...report, error: error.name, frames: framesOf(error) })
  if (sentReports.size === MAX_REPORTS || sentReports.has(body)) return
  sentReports.add(body)
  navigator.sendBeacon(`/api${route.path}`, new Blob([body], { type: 'application/json' }))
}
