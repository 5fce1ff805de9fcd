import { q } from '@portal/api/query'
import type { LetterLink, VerificationTemplate } from '@portal/contract/letter'
import { type HistoryRecord, verification } from '@portal/contract/verification'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NO_TEMPLATE, NO_TRANSACTION, TEMPLATE_FAILED } from './row.ts'

export interface Job {
  /** A new one for each click, so that the same letter can be printed again. */
  id: number
  template: VerificationTemplate
  letter: LetterLink | null
}

/** Printing a row's letter: fetched by its transaction, then handed to a PrintJob. */
export function usePrint() {
  const queries = useQueryClient()
  const [busyId, setBusyId] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [job, setJob] = useState<Job | null>(null)

  async function start(record: HistoryRecord) {
    setError(null)
    if (record.bpms_transaction_id === '') {
      setError(NO_TRANSACTION)
      return
    }
    setBusyId(record.id)
    try {
      const reply = await queries.fetchQuery(
        q(verification.checkStatus, { params: { id: record.bpms_transaction_id } }),
      )
      const { verification_template: template, letter } = reply
      if (template) setJob(last => ({ id: (last?.id ?? 0) + 1, template, letter }))
      else setError(NO_TEMPLATE)
    } catch {
      setError(TEMPLATE_FAILED)
    } finally {
      setBusyId(null)
    }
  }

  return {
    job,
    busyId,
    error,
    start: (record: HistoryRecord) => void start(record),
    dismiss: () => setError(null),
    done: () => setJob(null),
  }
}
