import { ThemeSwitch } from '@portal/ui/theme-switch'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Navigation',
  title: 'Theme switch',
  text: 'Chooses the theme of the system, light or dark. Saved in this browser, and followed by all open pages.',
}

export function Switch() {
  return <ThemeSwitch />
}
