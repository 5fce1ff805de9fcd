import { call } from '@portal/api/call'
import { isApiError, messageOf } from '@portal/api/error'
import type { StatusReply } from '@portal/contract/verification'
import type { BulkCheckReply } from '@portal/contract/verification-bulk'
import { formatDuration } from '@portal/format/dates'
import { useSearchParams } from '@portal/router'
import { paths } from '@portal/router/paths'
import { useSession } from '@portal/session/store'
import { continueHere, type PaymentWindow } from '@portal/verify-flow/payment-window'
import { useState } from 'react'
import { checkMany, payForMany } from '../../parts/endpoints.ts'
import { parseNumbers } from '../../parts/numbers.ts'
import { persistList, readPersistedList } from './persisted-list.ts'
import { replaceNumber } from './replace-number.ts'
import { useBulkPayment } from './use-bulk-payment.ts'

const POPUP_BLOCKED = 'Popup blocked. Please allow popups and try again.'
export const NOT_PAID = 'Payment failed or was cancelled. Please try again.'

type Busy = 'checking' | 'starting' | null

export interface Bulk {
  /** The content of the field. It is restored after a reload until its numbers are paid for. */
  text: string
  updateText: (text: string) => void
  /** The result of the check before payment; null until the numbers are checked. */
  checked: BulkCheckReply | null
  /** The payment named in the URL; undefined while it is loading, or if there is none. */
  payment: StatusReply | undefined
  paymentId: string | null
  busy: Busy
  refreshing: boolean
  problem: string | null
  /**
   * Dismisses the problem; undefined if the problem cannot be dismissed, for example because the URL names an unknown payment.
   */
  dismiss: (() => void) | undefined
  check: (numbers: readonly string[]) => void
  /** Replaces a number in the checked list with the suggested one, and checks the latter. */
  replace: (number: string, suggestion: string) => void
  /** Opens the payment window. Must be called directly from a click. */
  pay: (numbers: readonly string[], isFree: boolean) => void
  /** True if the payment failed in a window that is still open, where the payer can try another payment method. */
  failedInWindow: boolean
  /** True if this browser cannot open a second window, or refused to, so the payment can only continue in this tab. */
  canPayInThisTab: boolean
  /** Navigates this tab to the gateway, which returns to the page of the payment. */
  payHere: (numbers: readonly string[]) => void
  checkAgain: () => void
  startOver: () => void
}

function errorText(error: unknown): string {
  const text = (isApiError(error) && Object.values(error.fields)[0]) || messageOf(error)
  return isApiError(error) && error.retryAfter
    ? `${text} You can try again in ${formatDuration(error.retryAfter * 1000)}.`
    : text
}

/** Returns the state and actions of a bulk verification: calls, payment window, and the payment named in the URL. */
export function useBulk(): Bulk {
  const [search, setSearch] = useSearchParams()
  const paymentId = search.get('payment')
  const userId = useSession(session => session.user?.id)
  const [text, setText] = useState(() => readPersistedList(userId))
  const [checked, setChecked] = useState<BulkCheckReply | null>(null)
  const [busy, setBusy] = useState<Busy>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { query, payment, failedInWindow, popup } = useBulkPayment(paymentId)

  const updateText = (newText: string) => {
    setText(newText)
    persistList(userId, newText)
  }

  /** Sends a request. The screen is busy until the request ends; if it fails, the reason is shown. */
  async function request(activity: Busy, send: () => Promise<void>, onFailure?: () => void) {
    setBusy(activity)
    setProblem(null)
    try {
      await send()
    } catch (error) {
      onFailure?.()
      setProblem(errorText(error))
    } finally {
      setBusy(null)
    }
  }

  const check = (numbers: readonly string[]) =>
    request('checking', async () => {
      setChecked(await call(checkMany, { body: { certificate_numbers: [...numbers] } }))
      if (paymentId !== null) setSearch({})
    })

  const replace = (number: string, suggestion: string) =>
    request('checking', async () => {
      const reply = await call(checkMany, { body: { certificate_numbers: [suggestion] } })
      setChecked(before => before && replaceNumber(before, number, reply))
      updateText(
        parseNumbers(text)
          .map(item => (item === number ? suggestion : item))
          .join('\n'),
      )
    })

  // The typed numbers are no longer needed, because the payment contains them.
  const showPayment = (payment: string) => {
    updateText('')
    setSearch({ payment })
  }

  const start = (numbers: readonly string[], paymentWindow: PaymentWindow | null, inThisTab = false) =>
    request(
      'starting',
      async () => {
        const reply = await call(payForMany, { body: { certificate_numbers: [...numbers] } })
        if (reply.status === 'payment_initiated') {
          const target = { url: reply.payment_url, data: reply.payment_data }
          if (paymentWindow && !paymentWindow.isClosed()) paymentWindow.send(target)
          showPayment(reply.transaction_id)
          if (inThisTab) continueHere(window, target, reply.transaction_id, paths.bulk(reply.transaction_id))
        } else {
          popup.close()
          if (reply.transaction_id) showPayment(reply.transaction_id)
          else await check(numbers)
        }
      },
      popup.close,
    )

  const loadProblem = query.error && !payment ? errorText(query.error) : null
  return {
    text,
    updateText,
    checked,
    payment,
    paymentId,
    busy,
    refreshing: query.isFetching,
    problem: problem ?? loadProblem,
    dismiss: problem === null ? undefined : () => setProblem(null),
    check: numbers => void check(numbers),
    replace: (number, suggestion) => void replace(number, suggestion),
    pay: (numbers, isFree) => {
      if (isFree) return void start(numbers, null)
      const paymentWindow = popup.open()
      if (paymentWindow) void start(numbers, paymentWindow)
      else setProblem(POPUP_BLOCKED)
    },
    failedInWindow,
    canPayInThisTab: popup.isBlocked,
    payHere: numbers => void start(numbers, null, true),
    checkAgain: () => void query.refetch(),
    startOver: () => {
      popup.close()
      setChecked(null)
      setProblem(null)
      setSearch({})
    },
  }
}
