import { waitInWords } from './background-work.ts'
import type { StatusDisplay } from './status.ts'

/* Texts about disputes, in a file of their own to keep them out of the first load. */

const states = {
  open: { label: 'Needs an answer', tone: 'warning', icon: 'warning' },
  accepted: { label: 'Accepted', tone: 'neutral', icon: 'tick' },
  contested: { label: 'Contested', tone: 'info', icon: 'progress' },
  won: { label: 'Won', tone: 'success', icon: 'tick' },
  lost: { label: 'Lost', tone: 'danger', icon: 'cross' },
  expired: { label: 'Not answered in time', tone: 'danger', icon: 'cross' },
} as const satisfies Record<string, StatusDisplay>

export type DisputeState = keyof typeof states

/** The states of a dispute, in the order of the filter. */
export const disputeStates = Object.keys(states) as DisputeState[]

/** Returns the label, tone and icon of a state. */
export const disputeDisplay = (state: DisputeState): StatusDisplay => states[state]

/** Returns the status of a dispute. An answer that the gateway has not confirmed is shown as being sent. */
export const disputeStatus = (dispute: { state: DisputeState; answer_pending: boolean }): StatusDisplay =>
  dispute.answer_pending
    ? { label: 'Answer being sent', tone: 'info', icon: 'progress' }
    : disputeDisplay(dispute.state)

/** Returns a gateway's category or status as words, e.g. `UNDER_REVIEW` as `Under review`. */
export function gatewayWords(code: string): string {
  const words = code.replace(/[-_]+/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const HOUR_MS = 3_600_000

/** Returns how much time is left for an answer; undefined if there is no deadline. */
export function timeLeft(
  dueAt: string | null,
  now: number,
): { words: string; isShort: boolean; isOver: boolean } | undefined {
  if (dueAt === null) return undefined
  const msLeft = Date.parse(dueAt) - now
  if (msLeft <= 0)
    return { words: `Deadline passed ${waitInWords(-msLeft)} ago`, isShort: true, isOver: true }
  return { words: `${waitInWords(msLeft)} left`, isShort: msLeft <= 4 * HOUR_MS, isOver: false }
}

/** Returns the next step of a dispute and who has to take it. */
export function nextDisputeStep(dispute: {
  state: DisputeState
  answer_pending: boolean
  can_answer: boolean
  source: 'gateway' | 'manual'
}): string {
  if (dispute.answer_pending)
    return 'The answer is saved and will be sent as soon as the gateway can be reached.'
  switch (dispute.state) {
    case 'open':
      return dispute.can_answer
        ? 'Contest it with the evidence, or accept it. Without an answer, the money is returned to the payer.'
        : 'Answer it at the gateway, then record your answer here.'
    case 'contested':
      return dispute.source === 'manual'
        ? 'Record the outcome here once the gateway reports it.'
        : 'The bank decides. It can reopen the dispute with a new deadline.'
    case 'expired':
      return dispute.source === 'manual'
        ? 'Record the outcome here.'
        : 'Closed: the money is returned to the payer.'
    case 'won':
      return 'Closed: the institution keeps the money.'
    default:
      return 'Closed: the money is returned to the payer.'
  }
}
