import { Spinner } from '@portal/ui/spinner'
import { Row } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Spinner',
  text: 'Something is loading, and its length is unknown. The label is announced once.',
}

export const controls = { label: 'Loading dashboard...', size: ['md', 'sm'], labelHidden: false } as const

export function Playground(props: Values<typeof controls>) {
  return <Spinner {...props} />
}

export function Sizes() {
  return (
    <Row>
      <Spinner label="Loading the register…" />
      <Spinner label="Saving…" size="sm" />
    </Row>
  )
}
