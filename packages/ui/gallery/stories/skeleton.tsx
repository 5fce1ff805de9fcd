import { Skeleton } from '@portal/ui/skeleton'
import { Stack } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Skeleton',
  text: 'Keeps the place of content that is loading, so that nothing moves when it arrives.',
}

export const controls = {
  lines: 3,
  width: ['full', 'medium', 'short'],
  size: ['text', 'figure', 'block'],
} as const

export function Playground(props: Values<typeof controls>) {
  return <Skeleton {...props} />
}

export function Sizes() {
  return (
    <Stack>
      <Skeleton width="short" />
      <Skeleton size="figure" width="medium" />
      <Skeleton size="block" />
    </Stack>
  )
}
