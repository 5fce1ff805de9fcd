import { Suggestion } from '@portal/ui/suggestion'
import { TextInput } from '@portal/ui/text-input'
import { useState } from 'react'
import { Narrow, Stack } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Suggestion',
  text: 'Suggests the number that was probably meant, below its field. Selecting it only fills in the field.',
}

export function BelowAField() {
  const [number, setNumber] = useState('UG/2O19/00123')
  return (
    <Narrow>
      <Stack>
        <TextInput
          label="Certificate number"
          value={number}
          onChange={event => setNumber(event.target.value)}
          mono
        />
        <Suggestion number={number.includes('O') ? 'UG/2019/00123' : undefined} onUse={setNumber} />
      </Stack>
    </Narrow>
  )
}
