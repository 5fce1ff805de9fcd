import type { StatusIcon } from '@portal/format/status'
import { Icon } from '@portal/ui/icon'
import { StatusGlyph } from '@portal/ui/status-glyph'
import { Award, Bell, Download, FileSearch, Printer } from 'lucide-react'
import { Row } from '../layout.tsx'
import type { StoryInfo } from '../story.ts'

export const about: StoryInfo = {
  group: 'Foundations',
  title: 'Icon',
  text: 'Icons of lucide-react with the portal’s stroke. Next to text they are hidden from screen readers; alone they need a label.',
}

export function Sizes() {
  return (
    <Row>
      <Icon icon={Award} size={14} />
      <Icon icon={Bell} />
      <Icon icon={Download} size={20} />
      <Icon icon={FileSearch} size={28} />
      <Icon icon={Printer} size={28} label="Print" />
    </Row>
  )
}

const names: readonly StatusIcon[] = [
  'tick',
  'cross',
  'hourglass',
  'progress',
  'ban',
  'warning',
  'info',
  'question',
]

export function OfAStatus() {
  return (
    <Row>
      {names.map(name => (
        <span key={name}>
          <StatusGlyph icon={name} /> {name}
        </span>
      ))}
    </Row>
  )
}
