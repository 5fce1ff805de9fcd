import { call } from '@portal/api/call'
import { messageOf } from '@portal/api/error'
import { queryKey } from '@portal/api/query'
import { showToast } from '@portal/ui/toast-store'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { history, verificationStatus } from './endpoints.ts'
import { reissueLetter } from './letter-endpoints.ts'

export interface Reissue {
  /** Code of the letter that is being replaced; null if none is. */
  busy: string | null
  start: (code: string) => void
}

/**
 * Issues the corrected letter that replaces a superseded one, and refetches everything that shows the letter.
 * @param onDone called once the new letter exists
 */
export function useReissue(onDone?: () => void): Reissue {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)

  async function start(code: string) {
    setBusy(code)
    try {
      const { message } = await call(reissueLetter, { params: { code } })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKey(history) }),
        queryClient.invalidateQueries({ queryKey: queryKey(verificationStatus) }),
      ])
      showToast({ tone: 'success', message })
      onDone?.()
    } catch (error) {
      showToast({ tone: 'danger', message: messageOf(error) })
    } finally {
      setBusy(null)
    }
  }

  return { busy, start: code => void start(code) }
}
