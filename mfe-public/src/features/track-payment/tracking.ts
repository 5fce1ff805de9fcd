import type { PublicStatusReply } from '@portal/contract/verification'

/** A line that states the outcome of the last action. */
export interface Notice {
  tone: 'success' | 'danger'
  text: string
}

/** State of the tracking page (specification, section 4): input, loading or result. */
export type TrackingState =
  | { step: 'input'; error: string | undefined }
  | { step: 'loading'; id: string }
  | { step: 'result'; id: string; reply: PublicStatusReply; refreshing: boolean; notice: Notice | undefined }

export type TrackingEvent =
  | { type: 'submitted'; id: string }
  | { type: 'answered'; id: string; reply: PublicStatusReply }
  | { type: 'refused'; id: string; text: string }
  | { type: 'refreshStarted' }
  | { type: 'edited' }
  | { type: 'restarted' }

const ID_MISSING = 'Please enter a transaction ID.'
const REFRESHED = 'Payment status refreshed successfully.'

export const initialState: TrackingState = { step: 'input', error: undefined }

/** Returns the next state. Responses about an ID that is no longer requested change nothing. */
export function trackingReducer(state: TrackingState, event: TrackingEvent): TrackingState {
  switch (event.type) {
    case 'submitted':
      return event.id === '' ? { step: 'input', error: ID_MISSING } : { step: 'loading', id: event.id }
    case 'refreshStarted':
      return state.step === 'result' ? { ...state, refreshing: true, notice: undefined } : state
    case 'answered': {
      const { id, reply } = event
      if (state.step === 'input' || state.id !== id) return state
      const notice: Notice | undefined =
        state.step === 'result' ? { tone: 'success', text: REFRESHED } : undefined
      return { step: 'result', id, reply, refreshing: false, notice }
    }
    case 'refused':
      if (state.step === 'input' || state.id !== event.id) return state
      return state.step === 'result'
        ? { ...state, refreshing: false, notice: { tone: 'danger', text: event.text } }
        : { step: 'input', error: event.text }
    case 'edited':
      return state.step === 'input' && state.error ? initialState : state
    case 'restarted':
      return initialState
  }
}
