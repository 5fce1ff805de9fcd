import { DateRange } from '@portal/ui/date-range'
import { useState } from 'react'
import { Narrow } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Date range',
  text: 'Two date fields that limit each other, next to other filters.',
}

export function Days() {
  const [range, setRange] = useState({ from: '2026-01-01', to: '2026-01-31' })
  return (
    <Narrow>
      <DateRange {...range} onChange={change => setRange({ ...range, ...change })} />
    </Narrow>
  )
}

export function DaysInUtc() {
  const [range, setRange] = useState({ from: '', to: '' })
  return (
    <Narrow>
      <DateRange {...range} utc last="2026-01-31" onChange={change => setRange({ ...range, ...change })} />
    </Narrow>
  )
}
