import { type FlowState, flowReducer, initialState } from './flow.ts'
import { currentNavigation, stepOfEntry } from './history-entry.ts'
import { latestPayment } from './pending-payment.ts'
import { readPersistedNumber, readWaitingNumber } from './persisted-number.ts'
import { stepBeforeReload } from './unfinished-step.ts'

/**
 * Returns the widget's initial state. It comes from the first of these that exists: a number that was waiting for login, an
 * open payment, the step before a reload or Back, or a number typed before login.
 */
export function chooseInitialState({
  userId,
  locationState,
}: {
  userId: string | undefined
  locationState: unknown
}): FlowState {
  const waitingNumber = readWaitingNumber()
  if (!userId || waitingNumber !== '') return initialState(waitingNumber || readPersistedNumber())
  const payment = latestPayment(userId)
  if (payment) return flowReducer(initialState(), { type: 'resumed', payment })
  const entry = stepOfEntry(locationState, userId, currentNavigation())
  const unfinished =
    entry?.step === 'confirm' || entry?.step === 'payment'
      ? { step: entry.step, number: entry.number, certificateKnown: entry.certificateKnown }
      : stepBeforeReload(userId)
  return unfinished
    ? flowReducer(initialState(), { type: 'stepRestored', ...unfinished })
    : initialState(readPersistedNumber())
}
