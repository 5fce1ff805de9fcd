// Imported by package name, not by path, so that the bundler uses the shell's shared copy, as in query.ts.
import { call } from '@portal/api/call'
import type { Reply } from '@portal/contract/route'
import { SETTINGS_OF_PAGE } from '@portal/contract/static-page'
import type { verification } from '@portal/contract/verification'
import { useSyncExternalStore } from 'react'
import { cachedRead } from './cached-read.ts'
import { endpoint } from './endpoint.ts'

const FRESH_MS = 30_000

const settings = endpoint<typeof verification.settings>('GET', '/verification/settings')

type SettingsReply = Reply<typeof verification.settings>
/** The settings as received. Every API release sends the fee; older releases and mocks may leave out the institution. */
type Settings = Omit<SettingsReply, 'institution'> & Partial<SettingsReply>

/** Reads the settings that the server embedded in the static page; the first render must match that page. */
function readSettingsOfPage(): Settings | undefined {
  const text = globalThis.document?.getElementById(SETTINGS_OF_PAGE)?.textContent
  return text ? JSON.parse(text) : undefined
}

const cached = cachedRead<Settings>(() => call(settings), FRESH_MS, readSettingsOfPage())

/**
 * Returns the fee and the institution's contact details, shared by all components. Pages must work without them, because they
 * may load late or not at all.
 */
export function useSettings() {
  // The third argument is the server snapshot, for rendering without a browser, as in tests.
  return { ...useSyncExternalStore(cached.subscribe, cached.get, cached.get), refetch: cached.refetch }
}
