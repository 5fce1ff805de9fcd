import { DialogLoading } from '@portal/ui/dialog-loading'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Overlays',
  title: 'Dialog loading',
  text: 'Keeps the place of a dialog whose code is loading. Text that is typed early reaches the first field of its form.',
  viewportHeight: 480,
}

export function Loading() {
  return <DialogLoading title="Login to Your Account" onClose={() => undefined} />
}
