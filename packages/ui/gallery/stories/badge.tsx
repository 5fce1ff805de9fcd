import {
  accountDisplay,
  healthDisplay,
  historyDisplay,
  letterDisplay,
  paymentDisplay,
  statusDisplay,
} from '@portal/format/status'
import { Badge, Status } from '@portal/ui/badge'
import { Row } from '../layout.tsx'
import type { StoryInfo, Values } from '../story.ts'

export const about: StoryInfo = {
  group: 'Feedback',
  title: 'Badge and status',
  text: 'A badge is a short label, such as a role. A status has an icon and a colour; its words come from @portal/format/status.',
}

export const controls = {
  children: 'Administrator',
  tone: ['neutral', 'info', 'success', 'warning', 'danger'],
} as const

export function Playground(props: Values<typeof controls>) {
  return <Badge {...props} />
}

const all = [
  ...['PENDING', 'APPROVED', 'PAID', 'FAILED', 'CANCELLED', 'PROCESSING', 'not_found', 'odd'].map(
    statusDisplay,
  ),
  historyDisplay('paid', 'success'),
  historyDisplay('paid', 'failed'),
  historyDisplay('pending', null),
  historyDisplay('failed', 'failed'),
  paymentDisplay('paid'),
  healthDisplay('warning'),
  accountDisplay(false),
  letterDisplay('superseded'),
]
const statuses = [...new Map(all.map(status => [status.label, status])).values()]

export function FilledStatus() {
  return (
    <Row>
      {statuses.map(status => (
        <Status key={status.label} status={status} />
      ))}
    </Row>
  )
}

export function PlainStatus() {
  return (
    <Row>
      {statuses.map(status => (
        <Status key={status.label} status={status} variant="plain" />
      ))}
    </Row>
  )
}
