import { ApiError, errorOf, messageOf } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import { buildRequestInit, buildUrl } from '@portal/api/request'
import type { ReconciliationResult } from '@portal/contract/admin-reconciliation'
import { handleRefusedSession, session } from '@portal/session/store'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createJsonLinesReader } from '../../parts/json-lines.ts'
import { reconciliation } from '../../parts/money-endpoints.ts'
import { reports } from '../../parts/screen-endpoints.ts'

/** The reconciliation of this browser tab. It is stored outside React, so that leaving the page does not stop it. */
export type Job =
  | { phase: 'idle' }
  | { phase: 'running'; date: string; processed: number; total: number | undefined; since: number }
  | { phase: 'ended'; date: string; result: ReconciliationResult }
  | { phase: 'failed'; date: string; message: string }

export type ResponseLine =
  | { type: 'progress'; processed: number; total?: number }
  | ({ type: 'result' } & ReconciliationResult)

let job: Job = { phase: 'idle' }
const listeners = new Set<() => void>()

function setJob(next: Job): void {
  job = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReconcileJob = () => useSyncExternalStore(subscribe, () => job)

const CONNECTION_LOST = 'The connection was lost. The reconciliation continues: see the list below.'

/** Refetches everything a reconciliation may have changed. */
function refresh(client: QueryClient): void {
  const affectedRoutes = [
    reconciliation.runs,
    reconciliation.refunds,
    reconciliation.ledger,
    ...Object.values(reports),
  ]
  for (const route of affectedRoutes) client.invalidateQueries({ queryKey: queryKey(route) })
}

/** Reconciles a UTC day with the gateway and follows the progress, without the usual time limit for requests. */
export async function reconcile(date: string, client: QueryClient): Promise<void> {
  if (job.phase === 'running') return
  setJob({ phase: 'running', date, processed: 0, total: undefined, since: Date.now() })
  try {
    const result = await runReconciliation(date, (processed, total) => {
      if (job.phase === 'running') setJob({ ...job, processed, total })
    })
    setJob({ phase: 'ended', date, result })
  } catch (error) {
    setJob({ phase: 'failed', date, message: messageOf(error) })
  } finally {
    refresh(client)
  }
}

/** Dismisses a result or a failure. */
export function dismissJob(): void {
  if (job.phase !== 'running') setJob({ phase: 'idle' })
}

async function runReconciliation(
  date: string,
  onProgress: (processed: number, total: number | undefined) => void,
): Promise<ReconciliationResult> {
  const { token } = session.get()
  const input = { body: { date }, headers: { accept: 'application/x-ndjson' } }
  const response = await fetch(
    buildUrl(reconciliation.day, {}),
    buildRequestInit(reconciliation.day, input, token),
  ).catch(() => {
    throw new ApiError(CONNECTION_LOST, { status: 0 })
  })
  if (!response.ok) {
    if (response.status === 401 && session.get().token === token) handleRefusedSession()
    throw errorOf(response, await response.json().catch(() => undefined))
  }
  // Older APIs send only one response, at the end, with just the count.
  if (!response.headers.get('content-type')?.includes('ndjson'))
    return { processed_count: 0, updated_count: 0, mismatches: [], ...(await response.json()) }
  const readLines = createJsonLinesReader<ResponseLine>()
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  for (;;) {
    const chunk = await reader?.read().catch(() => undefined)
    if (!chunk || chunk.done) throw new ApiError(CONNECTION_LOST, { status: 0 })
    text += decoder.decode(chunk.value, { stream: true })
    for (const line of readLines(text)) {
      if (line.type === 'result') return line
      onProgress(line.processed, line.total)
    }
  }
}
