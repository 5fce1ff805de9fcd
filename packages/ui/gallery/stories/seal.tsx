import { Seal } from '@portal/ui/seal'
import { Row } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Seal',
  text: 'The sign of a verified certificate, and the only use of gold. It is drawn once, and is static with reduced motion.',
}

export const controls = {
  label: 'Certificate verified',
  text: 'University of Greenfield',
  size: ['lg', 'md', 'sm'],
  draw: true,
} as const

export function Playground(props: Values<typeof controls>) {
  return <Seal {...props} />
}

export function Sizes() {
  return (
    <Row>
      <Seal label="Verified, small" text="University of Greenfield" size="sm" draw={false} />
      <Seal label="Verified, medium" text="University of Greenfield" draw={false} />
    </Row>
  )
}
