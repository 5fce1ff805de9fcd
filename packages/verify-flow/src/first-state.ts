import { type FlowState, flow, initialState } from './flow.ts'
import { currentNavigation, stepOfEntry } from './history-entry.ts'
import { latestPayment } from './pending-payment.ts'
import { persistedNumber, waitingNumber } from './persisted-number.ts'
import { stepBeforeReload } from './unfinished-step.ts'

/**
 * The state in which the widget opens. Priority: the number waiting for log-in, then an open payment, then the step from Back or a reload, then the number
 * typed before log-in.
 */
export function firstState({
  userId,
  location,
}: {
  userId: string | undefined
  location: unknown
}): FlowState {
  const waiting = waitingNumber()
  if (!userId || waiting !== '') return initialState(waiting || persistedNumber())
  const payment = latestPayment(userId)
  if (payment) return flow(initialState(), { type: 'resumed', payment })
  const entry = stepOfEntry(location, userId, currentNavigation())
  const left =
    entry?.step === 'confirm' || entry?.step === 'payment'
      ? { step: entry.step, number: entry.number, known: entry.known }
      : stepBeforeReload(userId)
  return left ? flow(initialState(), { type: 'takenUp', ...left }) : initialState(persistedNumber())
}
