import { endpoint } from '@portal/api/endpoint'
import type { FrontEndReport, frontEnds } from '@portal/contract/front-ends'

const route = endpoint<typeof frontEnds.report>('POST', '/front-ends/reports')

/** Most reports of one page: what fails over and over says nothing new. */
const MOST = 10
/** Calls of the stack that are reported, the innermost first. */
const FRAMES = 5

const told = new Set<string>()

/** Files and places in an error's stack, without origins and queries; of a chunk that did not load its file. */
export function framesOf(error: Error & { request?: unknown }): string[] {
  const text = `${error.request ?? ''}\n${error.stack ?? ''}`
  const found = text.matchAll(/https?:\/\/[^/\s]+(\/[\w./-]+\.(?:js|css))(?:\?[^\s:)]*)?(:\d+:\d+)?/g)
  return Array.from(found, ([, file = '', place = '']) => file + place).slice(0, FRAMES)
}

/** The release that an error comes from, by its stack: what runs is in the release's own folder. */
export function originOf(error: Error): { remote: string; release: string } | undefined {
  const [, remote, release] = /^\/r\/([\w-]+)\/([\w.-]+)\//m.exec(framesOf(error).join('\n')) ?? []
  return remote && release ? { remote, release } : undefined
}

/** Reports to the server's log that a remote failed: which release, at which stage, where in its code. Never what an
 * error says, which may hold what somebody entered; and without the session, so that it identifies no one.
 */
export function tellServer(report: Omit<FrontEndReport, 'error' | 'frames'>, error: Error): void {
  const body = JSON.stringify({ ...report, error: error.name, frames: framesOf(error) })
  if (told.size === MOST || told.has(body)) return
  told.add(body)
  navigator.sendBeacon(`/api${route.path}`, new Blob([body], { type: 'application/json' }))
}
