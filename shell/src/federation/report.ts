import { endpoint } from '@portal/api/endpoint'
import type { FrontEndReport, frontEnds } from '@portal/contract/front-ends'
import { isOverridden } from './config.ts'

const route = endpoint<typeof frontEnds.report>('POST', '/front-ends/reports')

/** Maximum reports of one page: repeated failures add nothing new. */
const MOST = 10
/** Stack frames that are reported, the innermost first. */
const FRAMES = 5

const sentReports = new Set<string>()

/** Files and positions in an error's stack, without origins and queries; for a chunk that failed to load its file. */
export function framesOf(error: Error & { request?: unknown }): string[] {
  const text = `${error.request ?? ''}\n${error.stack ?? ''}`
  const found = text.matchAll(/https?:\/\/[^/\s]+(\/[\w./-]+\.(?:js|css))(?:\?[^\s:)]*)?(:\d+:\d+)?/g)
  return Array.from(found, ([, file = '', place = '']) => file + place).slice(0, FRAMES)
}

/** The release that caused an error, by its stack: its code is in its own folder. */
export function originOf(error: Error): { remote: string; release: string } | undefined {
  const [, remote, release] = /^\/r\/([\w-]+)\/([\w.-]+)\//m.exec(framesOf(error).join('\n')) ?? []
  return remote && release ? { remote, release } : undefined
}

/**
 * Reports to the server's log that a remote failed: which release, at which stage, and where in its code. Never the error's
 * message, which may contain user input; and without the session, so that it identifies no one.
 */
export function reportToServer(report: Omit<FrontEndReport, 'error' | 'frames'>, error: Error): void {
  // The overlay of development (packages/standalone).
  if (process.env.NODE_ENV !== 'production')
    globalThis.dispatchEvent?.(new CustomEvent('portal-error', { detail: error }))
  // A developer's own code is no failure of the portal.
  if (isOverridden(report.remote)) return
  const body = JSON.stringify({ ...report, error: error.name, frames: framesOf(error) })
  if (sentReports.size === MOST || sentReports.has(body)) return
  sentReports.add(body)
  navigator.sendBeacon(`/api${route.path}`, new Blob([body], { type: 'application/json' }))
}
