import { IconButton } from '@portal/ui/icon-button'
import { Bell, Menu, Trash2, X } from 'lucide-react'
import { Row } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Actions',
  title: 'Icon button',
  text: 'A button with only an icon, for well-known actions: close, copy, menu. Its label is spoken, and shown as a tooltip.',
}

export const controls = {
  label: 'Notifications, 3 unread',
  size: ['md', 'sm'],
  count: 3,
  disabled: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <IconButton icon={Bell} {...props} />
}

export function Sizes() {
  return (
    <Row>
      <IconButton icon={Menu} label="Menu" />
      <IconButton icon={X} label="Close" size="sm" />
    </Row>
  )
}

export function WithCount() {
  return (
    <Row>
      <IconButton icon={Bell} label="Notifications, 3 unread" count={3} />
      <IconButton icon={Bell} label="Notifications, 99+ unread" count={128} />
    </Row>
  )
}

export function Disabled() {
  return <IconButton icon={Trash2} label="Delete" disabled />
}
