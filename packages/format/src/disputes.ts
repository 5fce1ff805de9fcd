import { waitInWords } from './background-work.ts'
import type { StatusDisplay } from './status.ts'

/* Words for disputes, apart from what every first visit loads. */

const states = {
  open: { label: 'Needs an answer', tone: 'warning', icon: 'warning' },
  accepted: { label: 'Accepted', tone: 'neutral', icon: 'tick' },
  contested: { label: 'Contested', tone: 'info', icon: 'progress' },
  won: { label: 'Won', tone: 'success', icon: 'tick' },
  lost: { label: 'Lost', tone: 'danger', icon: 'cross' },
  expired: { label: 'Not answered in time', tone: 'danger', icon: 'cross' },
} as const satisfies Record<string, StatusDisplay>

export type DisputeState = keyof typeof states

/** The states of a dispute, in the order of a filter. */
export const disputeStates = Object.keys(states) as DisputeState[]

/** Returns the label, tone and icon of a state. */
export const disputeDisplay = (state: DisputeState): StatusDisplay => states[state]

/** Returns the status of one dispute: an answer that the gateway has not confirmed yet is not missing. */
export const disputeStatus = (dispute: { state: DisputeState; answer_pending: boolean }): StatusDisplay =>
  dispute.answer_pending
    ? { label: 'Answer being sent', tone: 'info', icon: 'progress' }
    : disputeDisplay(dispute.state)

/** Returns a gateway's category or status as words, e.g. `UNDER_REVIEW` as `Under review`. */
export function gatewayWords(code: string): string {
  const words = code.replace(/[-_]+/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const HOUR = 3_600_000

/** How much of the time for an answer is left, in words, and whether it is short; undefined without a deadline. */
export function timeLeft(
  dueAt: string | null,
  now: number,
): { words: string; isShort: boolean; isOver: boolean } | undefined {
  if (dueAt === null) return undefined
  const left = Date.parse(dueAt) - now
  if (left <= 0) return { words: `Deadline passed ${waitInWords(-left)} ago`, isShort: true, isOver: true }
  return { words: `${waitInWords(left)} left`, isShort: left <= 4 * HOUR, isOver: false }
}

/** What happens next with a dispute, and who does it. */
export function disputeNext(dispute: {
  state: DisputeState
  answer_pending: boolean
  can_answer: boolean
  source: 'gateway' | 'manual'
}): string {
  if (dispute.answer_pending)
    return 'The answer is stored and will be sent as soon as the gateway can be reached.'
  switch (dispute.state) {
    case 'open':
      return dispute.can_answer
        ? 'Contest it with the evidence, or accept it. Without an answer, the money is returned to the payer.'
        : 'Answer it at the gateway, then record here what you answered.'
    case 'contested':
      return dispute.source === 'manual'
        ? 'Record here how it ended, once the gateway reports that.'
        : 'The bank decides. It can open the dispute again, with a new deadline.'
    case 'expired':
      return dispute.source === 'manual'
        ? 'Record here how it ended.'
        : 'Closed: the money is returned to the payer.'
    case 'won':
      return 'Closed: the institution keeps the money.'
    default:
      return 'Closed: the money is returned to the payer.'
  }
}
