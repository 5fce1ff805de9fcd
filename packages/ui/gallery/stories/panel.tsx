import { Button } from '@portal/ui/button'
import { Panel } from '@portal/ui/panel'
import { Columns } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Data',
  title: 'Panel',
  text: 'A titled section of a page: a sheet with a border, a plain heading with a hairline, or a recessed ground.',
}

export const controls = {
  title: 'Verification',
  description: 'Requested on January 31, 2026.',
  children: 'UG/2019/00123 was found in the register.',
  variant: ['sheet', 'plain', 'sunken'],
} as const

export function Playground(props: Values<typeof controls>) {
  return <Panel {...props} />
}

export function Variants() {
  return (
    <Columns>
      <Panel title="Sheet" level={3}>
        <p>For content that belongs together.</p>
      </Panel>
      <Panel title="Plain" level={3} variant="plain">
        <p>For sections of a page.</p>
      </Panel>
      <Panel title="Sunken" level={3} variant="sunken">
        <p>For secondary content.</p>
      </Panel>
    </Columns>
  )
}

export function WithAction() {
  return (
    <Panel title="Notes" action={<Button size="sm">Add note</Button>}>
      <p>No notes yet.</p>
    </Panel>
  )
}
