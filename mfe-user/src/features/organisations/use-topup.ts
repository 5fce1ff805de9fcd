import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import { q } from '@portal/api/query'
import { useSearchParams } from '@portal/router'
import { continueHere, type PaymentWindow } from '@portal/verify-flow/payment-window'
import { usePaymentWindow } from '@portal/verify-flow/use-payment-window'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { organisationPath } from '../../parts/organisation-paths.ts'
import { billing } from '../../parts/organisation-work-endpoints.ts'
import { useRefreshWork } from '../../parts/use-refresh-work.ts'

/** Longer than 5 s, because the server requeries each payment at most once every 5 s. */
const POLL_MS = 6000
const POPUP_BLOCKED = 'Popup blocked. Please allow popups and try again.'

/** Returns the state and actions of a top-up: calls, payment window, and the top-up named in the URL (`?topup=…`). */
export function useTopup(organisationId: string) {
  const params = { id: organisationId }
  const [search, setSearch] = useSearchParams()
  const id = search.get('topup')
  const refresh = useRefreshWork()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const query = useQuery({
    ...q(billing.topup, { params: { ...params, transaction_id: id ?? '-' } }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && (data.status !== 'pending' || data.resolution !== null) ? false : POLL_MS,
  })
  const topup = id === null ? undefined : query.data
  const waiting = id !== null && (topup === undefined || topup.status === 'pending')
  const ended = topup !== undefined && !waiting

  const popup = usePaymentWindow({
    isPending: waiting,
    transactionId: id,
    onPossibleChange: () => void query.refetch(),
  })
  const onEnded = useEffectEvent(() => {
    popup.close()
    void refresh()
  })
  useEffect(() => {
    if (ended) onEnded()
  }, [ended])

  async function start(amount: number, paymentWindow: PaymentWindow | null) {
    setBusy(true)
    setProblem(undefined)
    try {
      // A repeated request with the same amount returns the open attempt.
      const reply = await call(billing.startTopup, { params, body: { amount } })
      const target = { url: reply.payment_url, data: reply.payment_data }
      const { transaction_id } = reply
      setSearch({ topup: transaction_id })
      if (paymentWindow && !paymentWindow.isClosed()) paymentWindow.send(target)
      if (!paymentWindow) {
        const returnPath = `${organisationPath(organisationId, 'billing')}?topup=${encodeURIComponent(transaction_id)}`
        continueHere(window, target, transaction_id, returnPath)
      }
    } catch (error) {
      popup.close()
      setProblem((isApiError(error) && Object.values(error.fields)[0]) || messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return {
    topup,
    /** True while the URL names a top-up, which may still be loading. */
    isShown: id !== null,
    busy,
    refreshing: query.isFetching,
    problem: problem ?? (query.error && !topup ? messageOf(query.error) : undefined),
    /** True if this browser cannot open a second window, or refused to, so the payment can only continue in this tab. */
    canPayInThisTab: popup.isBlocked,
    /** Opens the payment window. Must be called directly from a click or submit. */
    pay(amount: number) {
      const paymentWindow = popup.open()
      if (paymentWindow) void start(amount, paymentWindow)
      else setProblem(POPUP_BLOCKED)
    },
    /** Navigates this tab to the gateway, which returns to the page of the top-up. */
    payHere: (amount: number) => void start(amount, null),
    checkAgain: () => void query.refetch(),
    clear() {
      popup.close()
      setProblem(undefined)
      setSearch({})
    },
  }
}

export type TopupState = ReturnType<typeof useTopup>
