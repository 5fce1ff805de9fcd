import { CopyButton } from '@portal/ui/copy-button'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Actions',
  title: 'Copy button',
  text: 'Copies text and confirms it. If the clipboard is blocked, it says so.',
}

export const controls = { text: 'CVF0-1234', label: 'Copy transaction ID', compact: false } as const

export function Playground(props: Values<typeof controls>) {
  return <CopyButton {...props} />
}

export function Compact() {
  return <CopyButton text="CVF0-1234" label="Copy transaction ID" compact />
}
