import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import { q, queryKey } from '@portal/api/query'
import type { StatusReply } from '@portal/contract/verification'
import type { BulkCheckReply } from '@portal/contract/verification-bulk'
import { formatDuration } from '@portal/format/dates'
import { useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import {
  continueHere,
  isInAppBrowser,
  openPaymentWindow,
  type PaymentWindow,
  watchPaymentWindow,
} from '@portal/verify-flow/payment-window'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { checkMany, history, notifications, payForMany, statistics, status } from '../../parts/endpoints.ts'
import { numbersIn } from '../../parts/numbers.ts'
import { persistedList, persistList } from './persisted-list.ts'
import { replaceNumber } from './replace-number.ts'

/** The server requeries at most once in 5 s per payment. */
const LOOK_EVERY = 6000

const POPUP_BLOCKED = 'Popup blocked. Please allow popups and try again.'
export const NOT_PAID = 'Payment failed or was cancelled. Please try again.'

type Busy = 'checking' | 'starting' | null

export interface Bulk {
  /** Content of the field, restored after a reload until it is being paid for. */
  text: string
  type: (text: string) => void
  /** The check before payment; null until checked. */
  checked: BulkCheckReply | null
  /** The payment named in the URL; undefined while it is loading, or if there is none. */
  payment: StatusReply | undefined
  paymentId: string | null
  busy: Busy
  refreshing: boolean
  problem: string | null
  /** Omitted while the problem remains, such as an address without a payment. */
  dismiss: (() => void) | undefined
  check: (numbers: readonly string[]) => void
  /** Replaces a number of the checked list with the suggested one, and checks it. */
  replace: (number: string, suggestion: string) => void
  /** Opens the payment window; call it straight from a click. */
  pay: (numbers: readonly string[], free: boolean) => void
  /** The payment failed in a window that is still open, where another way to pay can be tried. */
  failedInWindow: boolean
  /** True if this browser cannot open a second window, or refused to: the payment can continue in this tab. */
  offersThisTab: boolean
  /** Navigates this tab to the gateway, which returns to the payment. */
  payHere: (numbers: readonly string[]) => void
  look: () => void
  startOver: () => void
}

function sentence(error: unknown): string {
  const text = (isApiError(error) && Object.values(error.fields)[0]) || messageOf(error)
  return isApiError(error) && error.retryAfter
    ? `${text} You can try again in ${formatDuration(error.retryAfter * 1000)}.`
    : text
}

/** True for a payment under review: staff will need hours rather than seconds. */
export const isUnderReview = (payment: StatusReply): boolean =>
  payment.status === 'pending' && payment.resolution !== null

/** State and actions of a bulk verification: calls, payment window, and the payment named in the URL. */
export function useBulk(): Bulk {
  const [search, setSearch] = useSearchParams()
  const paymentId = search.get('payment')
  const userId = useSession(session => session.user?.id)
  const [text, setText] = useState(() => persistedList(userId))
  const queries = useQueryClient()
  const [checked, setChecked] = useState<BulkCheckReply | null>(null)
  const [busy, setBusy] = useState<Busy>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const popup = useRef<PaymentWindow | null>(null)
  // Counts windows, so that each new one is watched.
  const [windows, setWindows] = useState(0)
  const [windowOpen, setWindowOpen] = useState(false)
  const [isBlocked, setBlocked] = useState(() => isInAppBrowser(navigator.userAgent))
  const goesOn = (reply: StatusReply) => reply.status === 'failed' && reply.resolution === null && windowOpen

  const query = useQuery({
    ...q(status, { params: { id: paymentId ?? '' } }),
    enabled: paymentId !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && !goesOn(data) && (data.status !== 'pending' || isUnderReview(data)) ? false : LOOK_EVERY,
  })
  const payment = paymentId === null ? undefined : query.data
  const failedInWindow = payment !== undefined && goesOn(payment)
  const waiting =
    paymentId !== null && (payment === undefined || payment.status === 'pending' || failedInWindow)

  const type = (typed: string) => {
    setText(typed)
    persistList(userId, typed)
  }

  const closePopup = () => {
    popup.current?.close()
    popup.current = null
    setWindowOpen(false)
  }

  const onHint = useEffectEvent(() => {
    setWindowOpen(false)
    void query.refetch()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new window (`windows`) is watched
  useEffect(() => {
    if (!waiting) return
    const on = { hint: onHint, closed: onHint }
    return watchPaymentWindow(window, popup.current, on, paymentId ?? undefined)
  }, [waiting, windows, paymentId])

  const ended = payment !== undefined && !waiting
  const onEnded = useEffectEvent(() => {
    closePopup()
    for (const path of [queryKey(history), queryKey(statistics), queryKey(notifications)]) {
      void queries.invalidateQueries({ queryKey: path })
    }
  })
  useEffect(() => {
    if (ended) onEnded()
  }, [ended])

  async function check(numbers: readonly string[]) {
    setBusy('checking')
    setProblem(null)
    try {
      setChecked(await call(checkMany, { body: { certificate_numbers: [...numbers] } }))
      if (paymentId !== null) setSearch({})
    } catch (error) {
      setProblem(sentence(error))
    } finally {
      setBusy(null)
    }
  }

  async function replace(number: string, suggestion: string) {
    setBusy('checking')
    setProblem(null)
    try {
      const reply = await call(checkMany, { body: { certificate_numbers: [suggestion] } })
      setChecked(before => before && replaceNumber(before, number, reply))
      type(
        numbersIn(text)
          .map(each => (each === number ? suggestion : each))
          .join('\n'),
      )
    } catch (error) {
      setProblem(sentence(error))
    } finally {
      setBusy(null)
    }
  }

  // From here on the payment has the numbers.
  const show = (payment: string) => {
    type('')
    setSearch({ payment })
  }

  async function start(numbers: readonly string[], opened: PaymentWindow | null, inThisTab = false) {
    setBusy('starting')
    setProblem(null)
    try {
      const reply = await call(payForMany, { body: { certificate_numbers: [...numbers] } })
      if (reply.status === 'payment_initiated') {
        const target = { url: reply.payment_url, data: reply.payment_data }
        if (opened && !opened.isClosed()) opened.send(target)
        show(reply.transaction_id)
        if (inThisTab) continueHere(window, target, reply.transaction_id, paths.bulk(reply.transaction_id))
      } else {
        closePopup()
        if (reply.transaction_id) show(reply.transaction_id)
        else await check(numbers)
      }
    } catch (error) {
      closePopup()
      setProblem(sentence(error))
    } finally {
      setBusy(null)
    }
  }

  const unknown = query.error && !payment ? sentence(query.error) : null
  return {
    text,
    type,
    checked,
    payment,
    paymentId,
    busy,
    refreshing: query.isFetching,
    problem: problem ?? unknown,
    dismiss: problem === null ? undefined : () => setProblem(null),
    check: numbers => void check(numbers),
    replace: (number, suggestion) => void replace(number, suggestion),
    pay: (numbers, free) => {
      if (free) return void start(numbers, null)
      const opened = openPaymentWindow(window)
      if (!opened) {
        setBlocked(true)
        return setProblem(POPUP_BLOCKED)
      }
      popup.current = opened
      setWindowOpen(true)
      setWindows(count => count + 1)
      void start(numbers, opened)
    },
    failedInWindow,
    offersThisTab: isBlocked,
    payHere: numbers => void start(numbers, null, true),
    look: () => void query.refetch(),
    startOver: () => {
      closePopup()
      setChecked(null)
      setProblem(null)
      setSearch({})
    },
  }
}
