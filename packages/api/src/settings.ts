// By the package's name, as in query.ts: only so is it the shell's one copy.
import { call } from '@portal/api/call'
import type { Reply } from '@portal/contract/route'
import type { verification } from '@portal/contract/verification'
import { useSyncExternalStore } from 'react'
import { endpoint } from './endpoint.ts'
import { keptRead } from './kept-read.ts'

const FRESH_MS = 30_000

const settings = endpoint<typeof verification.settings>('GET', '/verification/settings')

type Sent = Reply<typeof verification.settings>
/** The fee is all that every release of the API sends; of the institution an older one, or a stand-in, says nothing. */
type Settings = Omit<Sent, 'institution'> & Partial<Sent>

const kept = keptRead<Settings>(() => call(settings), FRESH_MS)

/**
 * The fee and how to reach the institution, one copy for the whole page. Pages must read well without: it may be late
 * or missing.
 */
export function useSettings() {
  // Also where no browser is, as in a test that draws a page to text.
  return { ...useSyncExternalStore(kept.subscribe, kept.get, kept.get), refetch: kept.refetch }
}
