import { Checklist } from '@portal/ui/checklist'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Forms',
  title: 'Checklist',
  text: 'Requirements that are checked off while typing. Reference it from the field’s aria-describedby.',
}

const requirements = ['At least 8 characters', 'One uppercase letter', 'One lowercase letter', 'One number']

export function PartlyMet() {
  const items = requirements.map((label, index) => ({ label, done: index < 2 }))
  return <Checklist label="Password requirements" items={items} />
}

export function AllMet() {
  const items = requirements.map(label => ({ label, done: true }))
  return <Checklist label="Requirements that are met" items={items} />
}
