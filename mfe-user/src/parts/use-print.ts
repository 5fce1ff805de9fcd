import { q } from '@portal/api/query'
import type { LetterLink, VerificationTemplate } from '@portal/contract/letter'
import { templateIfComplete } from '@portal/letter/complete-template'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { status } from './endpoints.ts'

const NO_TRANSACTION = 'Cannot print: Transaction ID not found'
const NO_TEMPLATE = 'Verification template not available for this certificate.'
const TEMPLATE_FAILED = 'Failed to load verification template.'

/** A letter that can be printed. */
export interface Printable {
  /** Key of the row in the list. */
  id: string
  /** The transaction ID; null or empty if the row has none. */
  transactionId: string | null
  certificateNumber: string
}

export interface Job {
  /** Differs for each click, so that the same letter can be printed again. */
  id: number
  template: VerificationTemplate
  letter: LetterLink | null
}

/** Returns a function that prints a row's letter: loads it by its transaction ID, then passes it to a PrintJob. */
export function usePrint() {
  const queryClient = useQueryClient()
  const [busyId, setBusyId] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [job, setJob] = useState<Job | null>(null)

  async function start({ id, transactionId, certificateNumber }: Printable) {
    setError(null)
    if (!transactionId) {
      setError(NO_TRANSACTION)
      return
    }
    setBusyId(id)
    try {
      // Requested each time, because a letter that has just been withdrawn must not be printed as valid.
      const reply = await queryClient.fetchQuery({
        ...q(status, { params: { id: transactionId }, query: { certificate_number: certificateNumber } }),
        staleTime: 0,
      })
      const { verification_template, letter } = reply
      const template = templateIfComplete(verification_template)
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
    start: (row: Printable) => void start(row),
    dismiss: () => setError(null),
    done: () => setJob(null),
  }
}
