import { Checkbox } from '@portal/ui/checkbox'
import { Stack } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Checkbox',
  text: 'A setting that is on or off, saved with its form.',
}

export const controls = {
  label: 'Send the verification link',
  help: 'The address must be confirmed before login.',
  error: '',
  disabled: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <Checkbox {...props} />
}

export function States() {
  return (
    <Stack>
      <Checkbox label="Remember this device" />
      <Checkbox label="Email me about refunds" defaultChecked />
      <Checkbox label="Not available" disabled />
      <Checkbox label="Required by the institution" defaultChecked disabled />
      <Checkbox label="I have checked the number" error="Please confirm" />
    </Stack>
  )
}
