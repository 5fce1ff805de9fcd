import { RadioGroup } from '@portal/ui/radio-group'
import { useState } from 'react'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Radio group',
  text: 'One of a few options that need an explanation each.',
}

const options = [
  { value: 'free', label: 'Report before payment', help: 'Nothing is charged.' },
  { value: 'charge', label: 'Report after payment', help: 'Existence is not revealed before payment.' },
  { value: 'other', label: 'Not available', disabled: true },
]

export function Options() {
  const [policy, setPolicy] = useState('free')
  return (
    <RadioGroup
      legend="Unknown certificates"
      help="What happens if a number is not in the register."
      value={policy}
      onChange={setPolicy}
      options={options}
    />
  )
}

export function WithError() {
  return (
    <RadioGroup
      legend="Policy"
      value=""
      onChange={() => undefined}
      options={options}
      error="Choose one of the options"
    />
  )
}
