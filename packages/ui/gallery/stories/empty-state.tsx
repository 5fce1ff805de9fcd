import { Button } from '@portal/ui/button'
import { EmptyState } from '@portal/ui/empty-state'
import { FileSearch } from 'lucide-react'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Empty state',
  text: 'What is shown instead of an empty list: a title, and one sentence on what to do next.',
}

export const controls = {
  title: 'No Users Found',
  children: 'Change the filters, or add a user.',
} as const

export function Playground(props: Values<typeof controls>) {
  return <EmptyState {...props} />
}

export function WithAction() {
  return (
    <EmptyState
      icon={FileSearch}
      title="No verifications yet"
      action={<Button variant="primary">Verify Certificate</Button>}
    >
      Verify a certificate number to see it here with its letter.
    </EmptyState>
  )
}
