import { useLocation, useNavigate } from '@portal/router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { FlowAction, FlowState } from './flow.ts'
import { latestPayment } from './pending-payment.ts'

/** A step of a verification, as it is stored in an entry of the browser's history. */
export interface StepEntry {
  userId: string
  step: FlowState['step']
  number: string
  /** See `OpenPayment.certificateKnown`. */
  certificateKnown: boolean
  /** Number of history entries between it and the empty input step. */
  depth: number
  /** When it was first shown, as a Unix timestamp in milliseconds. */
  shownAt: number
}

/** What is needed to fetch a result again. It contains nothing about the certificate except the typed number. */
export interface PersistedResult {
  userId: string
  transactionId: string
  number: string
  /** When it was first shown, as a Unix timestamp in milliseconds. */
  shownAt: number
}

/** How and when the page was loaded, as the browser reports it. */
export interface PageLoad {
  /** `navigate` for a new navigation, or else `reload` or `back_forward`. */
  type: string | undefined
  /** Unix timestamp in milliseconds. */
  at: number
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export function currentNavigation(): PageLoad {
  const [entry] = performance.getEntriesByType('navigation')
  return { type: entry && 'type' in entry ? String(entry.type) : undefined, at: performance.timeOrigin }
}

/**
 * Returns the result stored in a history entry, if it belongs to this user. When a user enters the same URL again, browsers
 * keep the entry's state; such a state is ignored, so that the field starts empty.
 */
export function resultOfEntry(
  state: unknown,
  userId: string | undefined,
  pageLoad: PageLoad,
): PersistedResult | null {
  const storedResult = isRecord(state) ? state.result : undefined
  if (!isRecord(storedResult) || userId === undefined || storedResult.userId !== userId) return null
  const { transactionId, number, shownAt } = storedResult
  if (typeof transactionId !== 'string' || typeof number !== 'string' || typeof shownAt !== 'number')
    return null
  if (pageLoad.type === 'navigate' && shownAt < pageLoad.at) return null
  return { userId, transactionId, number, shownAt }
}

const STEPS: readonly unknown[] = [
  'input',
  'confirm',
  'payment',
  'waiting',
  'result',
] satisfies FlowState['step'][]

/** Returns the step stored in a history entry, under the same conditions as `resultOfEntry`. */
export function stepOfEntry(
  state: unknown,
  userId: string | undefined,
  pageLoad: PageLoad,
): StepEntry | null {
  const entry = isRecord(state) ? state.verification : undefined
  if (!isRecord(entry) || userId === undefined || entry.userId !== userId) return null
  const { step, number, certificateKnown, depth, shownAt } = entry
  if (!STEPS.includes(step) || typeof number !== 'string' || typeof certificateKnown !== 'boolean')
    return null
  if (typeof depth !== 'number' || typeof shownAt !== 'number') return null
  if (pageLoad.type === 'navigate' && shownAt < pageLoad.at) return null
  return { userId, step: step as StepEntry['step'], number, certificateKnown, depth, shownAt }
}

/**
 * True if a step gets a history entry of its own, so that Back returns to the previous step. Otherwise, it replaces the current
 * entry.
 */
const needsNewEntry = (from: StepEntry['step'], to: StepEntry['step']) =>
  from === 'input' || (from === 'confirm' && to === 'payment')

/**
 * Adds a history entry for each step of a verification, so that Back returns to the previous step. A result is stored in its
 * entry, and offered again after a reload or Back.
 */
export function useStepHistory(
  userId: string | undefined,
  state: FlowState,
  dispatch: (action: FlowAction) => void,
) {
  const { pathname, search, hash, key, state: locationState } = useLocation()
  const navigate = useNavigate()
  const write = (changes: Record<string, unknown>, push = false) =>
    void navigate(
      { pathname, search, hash },
      { replace: !push, state: { ...(!push && isRecord(locationState) && locationState), ...changes } },
    )
  const storedResult = resultOfEntry(locationState, userId, currentNavigation())
  const entry = stepOfEntry(locationState, userId, currentNavigation())

  const entryOf = (step: StepEntry['step'], depth: number): StepEntry => ({
    userId: userId ?? '',
    step,
    number: state.number,
    certificateKnown: 'certificateKnown' in state && state.certificateKnown,
    depth,
    shownAt: Date.now(),
  })
  /** True while the step is changing because the user has navigated to its entry. */
  const isNavigating = useRef(false)
  const shownId = state.step === 'result' ? state.result.transactionId : null
  const onStep = useEffectEvent(() => {
    if (!userId) return
    const { step } = state
    const from = entry?.step ?? 'input'
    const depth = entry?.depth ?? 0
    const result =
      shownId === null
        ? undefined
        : { userId, transactionId: shownId, number: state.number.trim(), shownAt: Date.now() }
    if (step === 'input') {
      if (depth > 0 && !isNavigating.current) void navigate(-depth)
    } else if (from === step) {
      if (result && storedResult?.transactionId !== shownId) write({ result })
    } else if (needsNewEntry(from, step)) {
      if (!entry) write({ verification: entryOf('input', 0) })
      write({ verification: entryOf(step, depth + 1), result }, true)
    } else write({ verification: entryOf(step, depth), result })
  })
  const onEntry = useEffectEvent(() => {
    if (!entry || !userId || entry.step === state.step) return
    const { step, number, certificateKnown } = entry
    isNavigating.current = true
    // Do not show the result directly, because the input step offers to show it.
    if (step === 'input' || step === 'result') dispatch({ type: 'wentBack' })
    else if (step === 'waiting') {
      const payment = latestPayment(userId)
      if (payment) dispatch({ type: 'resumed', payment })
    } else {
      // After a result, there is nothing left to confirm or to pay for.
      if (state.step === 'result') void navigate(-entry.depth)
      else dispatch({ type: 'stepRestored', step, number, certificateKnown })
    }
  })
  const onMount = useEffectEvent(() => {
    // Remove a dismissed result, or the next reload would restore it.
    if (!storedResult && isRecord(locationState) && locationState.result) write({ result: undefined })
  })

  const previous = useRef({ step: state.step, key })
  useEffect(() => onMount(), [])
  useEffect(() => {
    if (previous.current.step !== state.step || shownId !== null) onStep()
    previous.current.step = state.step
    isNavigating.current = false
  }, [state.step, shownId])
  useEffect(() => {
    if (previous.current.key !== key) onEntry()
    previous.current.key = key
  }, [key])

  return {
    storedResult,
    dropResult: () => {
      if (storedResult) write({ result: undefined })
    },
  }
}
