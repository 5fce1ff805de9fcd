import { Stepper } from '@portal/ui/stepper'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Navigation',
  title: 'Stepper',
  text: 'Where someone is in a sequence of steps, as text as well as colour.',
}

const steps = [
  { id: 'input', label: 'Certificate' },
  { id: 'confirm', label: 'Confirm' },
  { id: 'payment', label: 'Payment' },
  { id: 'waiting', label: 'Waiting' },
  { id: 'result', label: 'Result' },
]

export const controls = {
  label: 'Verification steps',
  current: ['payment', 'input', 'confirm', 'waiting', 'result'],
  complete: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <Stepper steps={steps} {...props} />
}

export function Complete() {
  return <Stepper label="Completed steps" steps={steps} current="result" complete />
}

export function PassedButUnfinished() {
  return <Stepper label="Steps without payment" steps={steps} current="result" unfinished="payment" />
}
