import { TextArea } from '@portal/ui/text-area'
import { Narrow } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Text area',
  text: 'A text field of several lines that grows with its content.',
}

export const controls = {
  label: 'Address',
  help: 'Company name, address line 1, line 2, city, state, country',
  error: '',
  optional: true,
  rows: 3,
  disabled: false,
} as const

export function Playground(props: Values<typeof controls>) {
  return <TextArea {...props} />
}

export function WithText() {
  return (
    <Narrow>
      <TextArea
        label="Reason"
        defaultValue={'The name on the certificate\nis spelled differently.\n\nPlease check.'}
      />
    </Narrow>
  )
}

export function WithError() {
  return (
    <Narrow>
      <TextArea label="Reason for the refund" error="A reason is required" />
    </Narrow>
  )
}
