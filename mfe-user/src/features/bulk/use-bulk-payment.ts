import { q, queryKey } from '@portal/api/query'
import type { StatusReply } from '@portal/contract/verification'
import { usePaymentWindow } from '@portal/verify-flow/use-payment-window'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { history, notifications, statistics, status } from '../../parts/endpoints.ts'

/** Longer than 5 s, because the server requeries each payment at most once every 5 s. */
const POLL_MS = 6000

/** Returns true for a payment under review, which staff resolve in hours, not seconds. */
export const isUnderReview = (payment: StatusReply): boolean =>
  payment.status === 'pending' && payment.resolution !== null

/** Follows the payment named in the URL, and the payment window, until the payment has ended. */
export function useBulkPayment(paymentId: string | null) {
  const queryClient = useQueryClient()
  const [windowOpen, setWindowOpen] = useState(false)
  const canRetry = (reply: StatusReply) =>
    reply.status === 'failed' && reply.resolution === null && windowOpen

  const query = useQuery({
    ...q(status, { params: { id: paymentId ?? '' } }),
    enabled: paymentId !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && !canRetry(data) && (data.status !== 'pending' || isUnderReview(data)) ? false : POLL_MS,
  })
  const payment = paymentId === null ? undefined : query.data
  const failedInWindow = payment !== undefined && canRetry(payment)
  const waiting =
    paymentId !== null && (payment === undefined || payment.status === 'pending' || failedInWindow)

  const popup = usePaymentWindow({
    isPending: waiting,
    transactionId: paymentId,
    onPossibleChange: () => {
      setWindowOpen(false)
      void query.refetch()
    },
  })
  const close = () => {
    popup.close()
    setWindowOpen(false)
  }

  const ended = payment !== undefined && !waiting
  const onEnded = useEffectEvent(() => {
    close()
    for (const key of [queryKey(history), queryKey(statistics), queryKey(notifications)]) {
      void queryClient.invalidateQueries({ queryKey: key })
    }
  })
  useEffect(() => {
    if (ended) onEnded()
  }, [ended])

  return {
    query,
    payment,
    /** True if the payment failed in a window that is still open, where the payer can try another payment method. */
    failedInWindow,
    popup: {
      isBlocked: popup.isBlocked,
      close,
      open: () => {
        const paymentWindow = popup.open()
        if (paymentWindow) setWindowOpen(true)
        return paymentWindow
      },
    },
  }
}
