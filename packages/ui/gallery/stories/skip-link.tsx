import { SkipLink } from '@portal/ui/skip-link'
import { useEffect } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Navigation',
  title: 'Skip link',
  text: 'The first thing that Tab reaches: it skips the navigation. Hidden until it has the focus.',
  viewportHeight: 120,
}

export function Focused() {
  useEffect(() => document.querySelector<HTMLAnchorElement>('a')?.focus(), [])
  return <SkipLink />
}
