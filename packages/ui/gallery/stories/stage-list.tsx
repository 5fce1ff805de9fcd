import { StageList } from '@portal/ui/stage-list'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Stage list',
  text: 'The stages of a process in the background, each with its state as text. Changes are announced.',
}

export function InProgress() {
  return (
    <StageList
      label="Progress"
      stages={[
        { id: 'found', label: 'Certificate Found', state: 'done' },
        {
          id: 'payment',
          label: 'Payment Processing',
          state: 'active',
          note: 'Finish in the payment window.',
        },
        { id: 'complete', label: 'Verification Complete', state: 'waiting' },
      ]}
    />
  )
}

export function Failed() {
  return (
    <StageList
      label="Progress of a failed payment"
      stages={[
        { id: 'found', label: 'Certificate Found', state: 'done' },
        { id: 'payment', label: 'Payment Processing', state: 'failed', note: 'The payment was declined.' },
        { id: 'complete', label: 'Verification Complete', state: 'waiting' },
      ]}
    />
  )
}
