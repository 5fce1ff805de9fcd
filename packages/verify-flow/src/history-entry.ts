import { useLocation, useNavigate } from '@portal/router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { FlowAction, FlowState } from './flow.ts'
import { latestPayment } from './pending-payment.ts'

/** A step of the verification, as stored in an entry of the browser's history. */
export interface StepEntry {
  userId: string
  step: FlowState['step']
  number: string
  /** See `OpenPayment.certificateKnown`. */
  known: boolean
  /** Number of history entries back to the empty input step. */
  depth: number
  /** When it was first shown, in milliseconds since 1970. */
  shownAt: number
}

/** Data needed to fetch a result again; contains nothing about the certificate except the typed number. */
export interface PersistedResult {
  userId: string
  transactionId: string
  number: string
  /** When it was first shown, in milliseconds since 1970. */
  shownAt: number
}

/** How the page was opened, as the browser reports it. */
export interface Opening {
  /** `navigate` for a new navigation; otherwise `reload` or `back_forward`. */
  type: string | undefined
  /** In milliseconds since 1970. */
  at: number
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export function currentNavigation(): Opening {
  const [entry] = performance.getEntriesByType('navigation')
  return { type: entry && 'type' in entry ? String(entry.type) : undefined, at: performance.timeOrigin }
}

/**
 * Returns the result stored in a history entry, if it belongs to this user. Entering the same address again keeps the
 * entry but should show an empty field.
 */
export function resultOfEntry(
  state: unknown,
  userId: string | undefined,
  opening: Opening,
): PersistedResult | null {
  const storedResult = isRecord(state) ? state.result : undefined
  if (!isRecord(storedResult) || userId === undefined || storedResult.userId !== userId) return null
  const { transactionId, number, shownAt } = storedResult
  if (typeof transactionId !== 'string' || typeof number !== 'string' || typeof shownAt !== 'number')
    return null
  if (opening.type === 'navigate' && shownAt < opening.at) return null
  return { userId, transactionId, number, shownAt }
}

const STEPS: readonly unknown[] = [
  'input',
  'confirm',
  'payment',
  'waiting',
  'result',
] satisfies FlowState['step'][]

/** Returns the step that an entry of the browser's history shows, under the same conditions as `resultOfEntry`. */
export function stepOfEntry(state: unknown, userId: string | undefined, opening: Opening): StepEntry | null {
  const entry = isRecord(state) ? state.verification : undefined
  if (!isRecord(entry) || userId === undefined || entry.userId !== userId) return null
  const { step, number, known, depth, shownAt } = entry
  if (!STEPS.includes(step) || typeof number !== 'string' || typeof known !== 'boolean') return null
  if (typeof depth !== 'number' || typeof shownAt !== 'number') return null
  if (opening.type === 'navigate' && shownAt < opening.at) return null
  return { userId, step: step as StepEntry['step'], number, known, depth, shownAt }
}

/**
 * True if a step gets its own entry, so that Back leads to the previous step; otherwise it replaces the current entry.
 */
const isNewEntry = (from: StepEntry['step'], to: StepEntry['step']) =>
  from === 'input' || (from === 'confirm' && to === 'payment')

/**
 * Makes the steps of a verification entries of the browser's history: Back leads to the previous step. A result is
 * stored in its entry and offered again after a reload or Back.
 */
export function useStepHistory(
  userId: string | undefined,
  state: FlowState,
  dispatch: (action: FlowAction) => void,
) {
  const { pathname, search, hash, key, state: location } = useLocation()
  const navigate = useNavigate()
  const write = (changes: Record<string, unknown>, push = false) =>
    void navigate(
      { pathname, search, hash },
      { replace: !push, state: { ...(!push && isRecord(location) && location), ...changes } },
    )
  const storedResult = resultOfEntry(location, userId, currentNavigation())
  const entry = stepOfEntry(location, userId, currentNavigation())

  const entryOf = (step: StepEntry['step'], depth: number): StepEntry => ({
    userId: userId ?? '',
    step,
    number: state.number,
    known: 'known' in state && state.known,
    depth,
    shownAt: Date.now(),
  })
  /** The step changes because the user navigated to its entry. */
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
    } else if (isNewEntry(from, step)) {
      if (!entry) write({ verification: entryOf('input', 0) })
      write({ verification: entryOf(step, depth + 1), result }, true)
    } else write({ verification: entryOf(step, depth), result })
  })
  const onEntry = useEffectEvent(() => {
    if (!entry || !userId || entry.step === state.step) return
    const { step, number, known } = entry
    isNavigating.current = true
    // The input step offers the result.
    if (step === 'input' || step === 'result') dispatch({ type: 'wentBack' })
    else if (step === 'waiting') {
      const payment = latestPayment(userId)
      if (payment) dispatch({ type: 'resumed', payment })
    } else {
      // Nothing is left to confirm or pay for.
      if (state.step === 'result') void navigate(-entry.depth)
      else dispatch({ type: 'stepRestored', step, number, known })
    }
  })
  const onOpened = useEffectEvent(() => {
    // Otherwise, the next reload would restore a dismissed result.
    if (!storedResult && isRecord(location) && location.result) write({ result: undefined })
  })

  const opened = useRef({ step: state.step, key })
  useEffect(() => onOpened(), [])
  useEffect(() => {
    if (opened.current.step !== state.step || shownId !== null) onStep()
    opened.current.step = state.step
    isNavigating.current = false
  }, [state.step, shownId])
  useEffect(() => {
    if (opened.current.key !== key) onEntry()
    opened.current.key = key
  }, [key])

  return {
    storedResult,
    dropResult: () => {
      if (storedResult) write({ result: undefined })
    },
  }
}
