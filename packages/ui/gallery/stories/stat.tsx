import { Stat, StatGroup } from '@portal/ui/stat'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Data',
  title: 'Stat',
  text: 'Figures with their labels, on one sheet. While one is loading it keeps its place.',
}

export function Group() {
  return (
    <StatGroup label="Your verifications">
      <Stat label="Total verifications" value="1,284" note="112 in the last 30 days" />
      <Stat label="Total revenue" value="₦6,420,000.00" note="8.7% of it recent" />
      <Stat label="Success rate" value="87.5%" note="Excellent" />
      <Stat label="Pending" value="12" note="3 overdue" />
    </StatGroup>
  )
}

/** Three short counts, which stay in one row even on a phone. */
export function ShortCounts() {
  return (
    <StatGroup label="Your verifications, counted" short>
      <Stat label="Total" value="12" />
      <Stat label="Successful" value="11" />
      <Stat label="Not found" value="1" />
    </StatGroup>
  )
}

export function Loading() {
  return (
    <StatGroup label="Your verifications, loading">
      <Stat label="Total verifications" value="" note="112 in the last 30 days" loading />
      <Stat label="Pending" value="" loading />
    </StatGroup>
  )
}
