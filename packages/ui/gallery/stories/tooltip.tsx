import { IconButton } from '@portal/ui/icon-button'
import { Tooltip } from '@portal/ui/tooltip'
import { History } from 'lucide-react'
import { useEffect } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Tooltip',
  text: 'Text on hover and focus; Escape hides it. Never the only place of essential information.',
  viewportHeight: 160,
}

export function OnHoverAndFocus() {
  return (
    <Tooltip text="Verification History" side="end">
      <IconButton icon={History} label="Verification History" title="" />
    </Tooltip>
  )
}

export function Shown() {
  useEffect(() => document.querySelector<HTMLButtonElement>('button')?.focus(), [])
  return (
    <Tooltip text="Verification History" side="end">
      <IconButton icon={History} label="Verification History" title="" />
    </Tooltip>
  )
}
