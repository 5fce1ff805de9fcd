import { Progress } from '@portal/ui/progress'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Progress',
  text: 'How far a task has progressed, as a bar and as text.',
}

export const controls = {
  label: 'Uploading',
  text: '412 of 1,000 rows, 8s left',
  value: 412,
  max: 1000,
} as const

export function Playground(props: Values<typeof controls>) {
  return <Progress {...props} />
}

export function LengthUnknown() {
  return <Progress label="Reconciling" />
}

export function Complete() {
  return <Progress label="Imported" value={1000} max={1000} text="1,000 of 1,000 rows" />
}
